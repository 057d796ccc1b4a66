/// Reads deterministic CBOR (RFC 8949 §4.2.1), in the subset of the protocol, item by item.
///
/// The reader refuses, by name and with the offset, whatever is not canonical or is beyond its limits. It keeps track
/// of the arrays, maps and tags that are open, so the order of map keys, the depth and the number of items hold
/// without any help of the caller. It allocates for strings only, never more than there are bytes (and for levels
/// beyond those of a message), and does not recurse. After an error the reader is of no further use.
package struct CBORReader {
    private let bytes: [UInt8]
    private let limits: CBORLimits
    private var position = 0

    /// How many items may still come; none at all when there are too many bytes.
    private var itemsLeft: Int
    private var open = CBORNesting()

    package init(_ bytes: [UInt8], limits: CBORLimits = .default) {
        self.bytes = bytes
        self.limits = limits
        itemsLeft = bytes.count <= limits.bytes ? limits.items : 0
    }

    /// Where the next item starts, in bytes from 0.
    package var offset: Int { position }

    /// Whether no byte is left.
    package var isAtEnd: Bool { position == bytes.count }

    /// Refuses bytes after the outermost item, and members that nobody has read.
    @inline(__always)
    package func finish() throws(WireError) {
        guard isAtEnd else { throw WireError(.trailingBytes, offset: position) }
        guard open.depth == 0 else { throw WireError(.truncated, offset: position) }
    }

    // MARK: What the typed readers are made of

    /// The kind of the next item, which stays where it is.
    func peekType() throws(WireError) -> CBORMajorType {
        guard position < bytes.count else { throw WireError(.truncated, offset: position) }
        return CBORMajorType(first: bytes[position])
    }

    /// Whether the next byte is this one.
    func isNext(_ byte: UInt8) -> Bool {
        position < bytes.count && bytes[position] == byte
    }

    /// Reads the head of the next item, which must be of this kind.
    @inline(__always)
    mutating func readHead(_ type: CBORMajorType) throws(WireError) -> CBORHead {
        let head = try readHead()
        guard head.type == type else { throw WireError(.unexpectedType, offset: head.start) }
        return head
    }

    /// Reads the head of the next item: everything but the content of a string and the members of a container.
    @inline(__always)
    mutating func readHead() throws(WireError) -> CBORHead {
        guard itemsLeft > 0 else { throw exhausted }
        let head = try CBORHead(bytes.span, at: position)
        position &+= head.byteCount
        itemsLeft &-= 1
        return head
    }

    private var exhausted: WireError {
        bytes.count > limits.bytes ? WireError(.tooLarge) : WireError(.tooManyItems, offset: position)
    }

    /// Takes the content of a string whose head was read.
    @inline(__always)
    mutating func readContent(_ head: CBORHead) throws(WireError) -> Range<Int> {
        guard head.argument <= UInt64(truncatingIfNeeded: bytes.count &- position) else {
            throw WireError(.truncated, offset: head.start)
        }
        let start = position
        position &+= Int(truncatingIfNeeded: head.argument)
        return unsafe Range(uncheckedBounds: (start, position))
    }

    /// Whether bytes that have been read are UTF-8.
    @inline(__always)
    func isText(_ content: Range<Int>) -> Bool {
        CBORText.isValid(bytes.span.extracting(content))
    }

    /// Whether bytes that have been read are ASCII that shows, without the space.
    @inline(__always)
    func isPrintable(_ content: Range<Int>) -> Bool {
        CBORText.isPrintable(bytes.span.extracting(content))
    }

    /// Whether bytes that have been read are those of a text.
    @inline(__always)
    func isEqual(_ content: Range<Int>, _ text: String) -> Bool {
        CBORText.isEqual(bytes.span.extracting(content), text)
    }

    /// Opens a container whose head was read. One that has no members is closed at once.
    @inline(__always)
    mutating func enter(_ head: CBORHead, members: Int) throws(WireError) {
        guard open.depth < limits.depth else { throw WireError(.tooDeep, offset: head.start) }
        guard members <= itemsLeft else { throw WireError(.tooManyItems, offset: head.start) }
        // Every member takes a byte at least.
        guard members <= bytes.count - position else { throw WireError(.truncated, offset: head.start) }
        guard members > 0 else { return try close(itemAt: head.start) }
        open.push(.init(start: head.start, remaining: members, isMap: head.type == .map))
    }

    /// Notes that the item which starts there is complete, and with it every container that it was the last of.
    @inline(__always)
    mutating func close(itemAt start: Int) throws(WireError) {
        guard open.current.isMap || open.current.remaining <= 1 else { return open.current.remaining -= 1 }
        try closeLast(itemAt: start)
    }

    /// The same for a member of a map and for the last one of a container.
    @inline(never)
    private mutating func closeLast(itemAt start: Int) throws(WireError) {
        var start = start
        while open.depth > 0 {
            if open.current.awaitsKey {
                let last = open.current.lastKey
                if !last.isEmpty { try check(key: start..<position, after: last) }
                open.current.lastKey = start..<position
            }
            open.current.remaining -= 1
            guard open.current.remaining == 0 else { return }
            start = open.current.start
            open.pop()
        }
    }

    /// Skips one item with all its members; what it holds is validated.
    mutating func skipItem() throws(WireError) {
        let depth = open.depth
        repeat {
            let head = try readHead()
            switch head.type {
            case .unsigned, .negative, .simple:
                try close(itemAt: head.start)
            case .bytes:
                _ = try readContent(head)
                try close(itemAt: head.start)
            case .text:
                let content = try readContent(head)
                guard isText(content) else { throw WireError(.invalidUTF8, offset: head.start) }
                try close(itemAt: head.start)
            case .array, .map, .tag:
                try enter(head, members: head.members())
            }
        } while open.depth > depth
    }

    /// The bytes from an offset that was read before up to here.
    func bytes(since start: Int) -> [UInt8] {
        bytes(in: start..<position)
    }

    /// A copy of bytes that have been read.
    @inline(__always)
    func bytes(in content: Range<Int>) -> [UInt8] {
        bytes.copy(content)
    }

    /// A copy of a text that has been read.
    @inline(__always)
    func text(in content: Range<Int>) -> String {
        bytes.text(content)
    }

    private func check(key: Range<Int>, after last: Range<Int>) throws(WireError) {
        let (previous, next) = (bytes[last], bytes[key])
        guard !next.elementsEqual(previous) else { throw WireError(.duplicateMapKey, offset: key.lowerBound) }
        guard previous.lexicographicallyPrecedes(next) else {
            throw WireError(.unsortedMapKeys, offset: key.lowerBound)
        }
    }
}

extension [UInt8] {
    /// A copy of some of the bytes.
    @inline(__always)
    func copy(_ range: Range<Int>) -> [UInt8] {
        unsafe span.extracting(range).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }

    /// Some of the bytes, of which it is known that they are UTF-8, as a text.
    @inline(__always)
    func text(_ range: Range<Int>) -> String {
        unsafe span.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
