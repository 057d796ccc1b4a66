/// Reads deterministic CBOR (RFC 8949 §4.2.1), in the subset of the protocol, item by item.
///
/// The reader refuses, by name and with the offset, whatever is not canonical or is beyond its limits. It keeps track
/// of the arrays, maps and tags that are open, so the order of map keys, the depth and the number of items hold
/// without any help of the caller. It allocates for strings only, never more than there are bytes, and does not
/// recurse. After an error the reader is of no further use.
package struct CBORReader {
    private let bytes: [UInt8]
    private let limits: CBORLimits
    private var position: Int
    private var items = 0
    private var open: [CBORContainer] = []

    package init(_ bytes: [UInt8], limits: CBORLimits = .default) {
        self.bytes = bytes
        self.limits = limits
        position = 0
    }

    /// Where the next item starts, in bytes from 0.
    package var offset: Int { position }

    /// Whether no byte is left.
    package var isAtEnd: Bool { position == bytes.count }

    /// Refuses bytes after the outermost item, and members that nobody has read.
    package func finish() throws(WireError) {
        guard isAtEnd else { throw WireError(.trailingBytes, offset: position) }
        guard open.isEmpty else { throw WireError(.truncated, offset: position) }
    }

    // MARK: What the typed readers are made of

    /// The kind of the next item, which stays where it is.
    func peekType() throws(WireError) -> CBORMajorType {
        guard position < bytes.count, let type = CBORMajorType(rawValue: bytes[position] >> 5) else {
            throw WireError(.truncated, offset: position)
        }
        return type
    }

    /// Whether the next byte is this one.
    func isNext(_ byte: UInt8) -> Bool {
        position < bytes.count && bytes[position] == byte
    }

    /// Reads the head of the next item, which must be of this kind.
    mutating func readHead(_ type: CBORMajorType) throws(WireError) -> CBORHead {
        let head = try readHead()
        guard head.type == type else { throw WireError(.unexpectedType, offset: head.start) }
        return head
    }

    /// Reads the head of the next item: everything but the content of a string and the members of a container.
    mutating func readHead() throws(WireError) -> CBORHead {
        guard bytes.count <= limits.bytes else { throw WireError(.tooLarge) }
        guard items < limits.items else { throw WireError(.tooManyItems, offset: position) }
        let head = try CBORHead(bytes, at: position)
        position += head.byteCount
        items += 1
        return head
    }

    /// Takes the content of a string whose head was read.
    mutating func readContent(_ head: CBORHead) throws(WireError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: head.argument), count <= bytes.count - position else {
            throw WireError(.truncated, offset: head.start)
        }
        let content = bytes[position..<position + count]
        position += count
        return content
    }

    /// Opens a container whose head was read. One that has no members is closed at once.
    mutating func enter(_ head: CBORHead, members: Int) throws(WireError) {
        guard open.count < limits.depth else { throw WireError(.tooDeep, offset: head.start) }
        guard members <= limits.items - items else { throw WireError(.tooManyItems, offset: head.start) }
        // Every member takes a byte at least.
        guard members <= bytes.count - position else { throw WireError(.truncated, offset: head.start) }
        guard members > 0 else { return try close(itemAt: head.start) }
        open.append(CBORContainer(isMap: head.type == .map, start: head.start, remaining: members))
    }

    /// Notes that the item which starts there is complete, and with it every container that it was the last of.
    mutating func close(itemAt start: Int) throws(WireError) {
        var start = start
        while var container = open.popLast() {
            if container.awaitsKey {
                if let last = container.lastKey { try check(key: start..<position, after: last) }
                container.lastKey = start..<position
            }
            container.remaining -= 1
            guard container.remaining == 0 else { return open.append(container) }
            start = container.start
        }
    }

    /// Skips one item with all its members; what it holds is validated.
    mutating func skipItem() throws(WireError) {
        let depth = open.count
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
                guard CBORText.isValid(content) else { throw WireError(.invalidUTF8, offset: head.start) }
                try close(itemAt: head.start)
            case .array, .map, .tag:
                try enter(head, members: head.members())
            }
        } while open.count > depth
    }

    /// The bytes from an offset that was read before up to here.
    func bytes(since start: Int) -> [UInt8] {
        Array(bytes[start..<position])
    }

    private func check(key: Range<Int>, after last: Range<Int>) throws(WireError) {
        let (previous, next) = (bytes[last], bytes[key])
        guard !next.elementsEqual(previous) else { throw WireError(.duplicateMapKey, offset: key.lowerBound) }
        guard previous.lexicographicallyPrecedes(next) else {
            throw WireError(.unsortedMapKeys, offset: key.lowerBound)
        }
    }
}
