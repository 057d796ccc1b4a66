/// A reader of deterministic CBOR (RFC 8949, section 4.2.1), in the subset of the protocol, item by item.
///
/// The reader refuses bytes that are not canonical or exceed its limits, with a code and the offset. It tracks the open
/// arrays, maps and tags, so the caller does not need to check the order of map keys, the depth or the number of items.
/// It allocates only for strings, never more than the number of bytes, and for levels that are deeper than in a
/// message. It does not recurse. After an error the reader must not be used again.
package struct CBORReader {
    private let bytes: [UInt8]
    private let limits: CBORLimits
    private var position = 0

    /// The number of items that may follow; 0 if there are too many bytes.
    private var itemsLeft: Int
    private var open = CBORNesting()

    package init(_ bytes: [UInt8], limits: CBORLimits = .default) {
        self.bytes = bytes
        self.limits = limits
        itemsLeft = bytes.count <= limits.bytes ? limits.items : 0
    }

    /// The offset of the next item in bytes.
    package var offset: Int { position }

    /// Whether all bytes have been read.
    package var isAtEnd: Bool { position == bytes.count }

    /// Refuses bytes after the outermost item, and members that have not been read.
    @inline(__always)
    package func finish() throws(WireError) {
        guard isAtEnd else { throw WireError(.trailingBytes, offset: position) }
        guard open.depth == 0 else { throw WireError(.truncated, offset: position) }
    }

    // MARK: Parts of the typed readers

    /// Returns the kind of the next item without reading it.
    func peekType() throws(WireError) -> CBORMajorType {
        guard position < bytes.count else { throw WireError(.truncated, offset: position) }
        return CBORMajorType(first: bytes[position])
    }

    /// Whether the next byte is this one.
    func isNext(_ byte: UInt8) -> Bool {
        position < bytes.count && bytes[position] == byte
    }

    /// Reads the head of the next item, which must have this kind.
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

    /// Reads the content of a string whose head was read.
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

    /// Whether bytes that have been read are printable ASCII characters without the space.
    @inline(__always)
    func isPrintable(_ content: Range<Int>) -> Bool {
        CBORText.isPrintable(bytes.span.extracting(content))
    }

    /// Whether bytes that have been read are a text.
    @inline(__always)
    func isEqual(_ content: Range<Int>, _ text: String) -> Bool {
        CBORText.isEqual(bytes.span.extracting(content), text)
    }

    /// Opens a container whose head was read. A container without members is closed immediately.
    @inline(__always)
    mutating func enter(_ head: CBORHead, members: Int) throws(WireError) {
        guard open.depth < limits.depth else { throw WireError(.tooDeep, offset: head.start) }
        guard members <= itemsLeft else { throw WireError(.tooManyItems, offset: head.start) }
        // Each member has at least one byte.
        guard members <= bytes.count - position else { throw WireError(.truncated, offset: head.start) }
        guard members > 0 else { return try close(itemAt: head.start) }
        open.push(.init(start: head.start, remaining: members, isMap: head.type == .map))
    }

    /// Marks an item as complete, and with it each container whose last member it is.
    @inline(__always)
    mutating func close(itemAt start: Int) throws(WireError) {
        guard open.current.isMap || open.current.remaining <= 1 else { return open.current.remaining -= 1 }
        try closeLast(itemAt: start)
    }

    /// Does the same for a member of a map and for the last member of a container.
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

    /// Skips one item with all its members. The item is validated.
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

    /// Returns the bytes from a previous offset to the current one.
    func bytes(since start: Int) -> [UInt8] {
        bytes(in: start..<position)
    }

    /// Returns a copy of bytes that have been read.
    @inline(__always)
    func bytes(in content: Range<Int>) -> [UInt8] {
        bytes.copy(content)
    }

    /// Returns a text that has been read.
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
    /// Returns a copy of a range of the bytes.
    @inline(__always)
    func copy(_ range: Range<Int>) -> [UInt8] {
        unsafe span.extracting(range).withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }

    /// Returns a range of the bytes, which must be UTF-8, as a text.
    @inline(__always)
    func text(_ range: Range<Int>) -> String {
        unsafe span.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// The limits of a decoder. They apply before the meaning of the bytes is examined.
package struct CBORLimits: Sendable, Hashable {
    /// The maximum depth of arrays, maps and tags. An array of numbers has depth 1.
    package var depth: Int

    /// The maximum number of items. Arrays, maps, tags and map keys count as items.
    package var items: Int

    /// The maximum number of bytes.
    package var bytes: Int

    /// Creates limits. The defaults are the limits of the protocol: 8 levels, 512 items, 64 KiB.
    package init(depth: Int = 8, items: Int = 512, bytes: Int = 65_536) {
        self.depth = depth
        self.items = items
        self.bytes = bytes
    }

    package static let `default` = CBORLimits()

    /// No limits, for bytes that this library has written.
    static let none = CBORLimits(depth: .max, items: .max, bytes: .max)
}
