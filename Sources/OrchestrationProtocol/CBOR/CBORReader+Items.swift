extension CBORReader {
    @inline(__always)
    package mutating func readUnsigned() throws(WireError) -> UInt64 {
        let head = try readHead(.unsigned)
        try close(itemAt: head.start)
        return head.argument
    }

    /// Reads an unsigned integer up to a limit.
    @inline(__always)
    package mutating func readUnsigned(maximum: UInt64) throws(WireError) -> UInt64 {
        let start = offset
        let value = try readUnsigned()
        guard value <= maximum else { throw WireError(.integerOutOfRange, offset: start) }
        return value
    }

    /// Reads an integer of either sign that `Int64` can hold.
    package mutating func readInteger() throws(WireError) -> Int64 {
        let head = try readHead()
        guard head.type == .unsigned || head.type == .negative else {
            throw WireError(.unexpectedType, offset: head.start)
        }
        guard let magnitude = Int64(exactly: head.argument) else {
            throw WireError(.integerOutOfRange, offset: head.start)
        }
        try close(itemAt: head.start)
        return head.type == .unsigned ? magnitude : ~magnitude
    }

    /// Reads a byte string of any length up to a limit.
    package mutating func readBytes(maximum: Int = .max) throws(WireError) -> [UInt8] {
        let content = try findBytes(maximum: maximum)
        return bytes(in: content)
    }

    /// Reads a byte string of any length up to a limit, and returns the range of its content.
    mutating func findBytes(maximum: Int = .max) throws(WireError) -> Range<Int> {
        let head = try readHead(.bytes)
        let content = try readContent(head)
        guard content.count <= maximum else { throw WireError(.tooLarge, offset: head.start) }
        try close(itemAt: head.start)
        return content
    }

    /// Reads a byte string of exactly this length.
    package mutating func readBytes(count: Int) throws(WireError) -> [UInt8] {
        let content = try findBytes(count: count)
        return bytes(in: content)
    }

    /// Reads a byte string of exactly this length, and returns the range of its content.
    @inline(__always)
    mutating func findBytes(count: Int) throws(WireError) -> Range<Int> {
        let head = try readHead(.bytes)
        guard head.argument == UInt64(clamping: count) else {
            throw WireError(.unexpectedLength, offset: head.start)
        }
        let content = try readContent(head)
        try close(itemAt: head.start)
        return content
    }

    /// Reads a text of at most this many UTF-8 bytes.
    package mutating func readText(maximumBytes: Int) throws(WireError) -> String {
        let content = try findText(maximumBytes: maximumBytes)
        return text(in: content)
    }

    /// Reads a text of at most this many UTF-8 bytes, and returns the range of its content.
    @inline(__always)
    mutating func findText(maximumBytes: Int) throws(WireError) -> Range<Int> {
        let head = try readHead(.text)
        let content = try readContent(head)
        guard content.count <= maximumBytes else { throw WireError(.tooLarge, offset: head.start) }
        guard isText(content) else { throw WireError(.invalidUTF8, offset: head.start) }
        try close(itemAt: head.start)
        return content
    }

    @inline(__always)
    package mutating func readBoolean() throws(WireError) -> Bool {
        let head = try readHead(.simple)
        guard head.argument != CBORSimpleValue.null else { throw WireError(.unexpectedType, offset: head.start) }
        try close(itemAt: head.start)
        return head.argument == CBORSimpleValue.true
    }

    package mutating func readNull() throws(WireError) {
        let head = try readHead(.simple)
        guard head.argument == CBORSimpleValue.null else { throw WireError(.unexpectedType, offset: head.start) }
        try close(itemAt: head.start)
    }

    /// Reads the next item if it is null.
    ///
    /// - Returns: Whether it was null.
    package mutating func readIfNull() throws(WireError) -> Bool {
        guard isNext(0xF6) else { return false }
        try readNull()
        return true
    }

    /// Opens an array, whose items follow, and returns their number.
    @inline(__always)
    package mutating func readArray() throws(WireError) -> Int {
        let head = try readHead(.array)
        let count = try head.members()
        try enter(head, members: count)
        return count
    }

    /// Opens an array of exactly this many items.
    @inline(__always)
    package mutating func readArray(count: Int) throws(WireError) {
        let start = offset
        guard try readArray() == count else { throw WireError(.unexpectedCount, offset: start) }
    }

    /// Opens an array of at most this many items, and returns their number.
    package mutating func readArray(maximum: Int) throws(WireError) -> Int {
        let start = offset
        let count = try readArray()
        guard count <= maximum else { throw WireError(.tooManyItems, offset: start) }
        return count
    }

    /// Opens a map, whose keys and values follow in turn, and returns the number of pairs.
    package mutating func readMap() throws(WireError) -> Int {
        let head = try readHead(.map)
        let members = try head.members()
        try enter(head, members: members)
        return members / 2
    }

    /// Reads the next item if it is a map without pairs.
    ///
    /// - Returns: Whether it was one.
    @inline(__always)
    package mutating func readIfEmptyMap() throws(WireError) -> Bool {
        guard isNext(0xA0) else { return false }
        _ = try readMap()
        return true
    }

    /// Opens a tag, whose item follows, and returns its number.
    package mutating func readTag() throws(WireError) -> UInt64 {
        let head = try readHead(.tag)
        try enter(head, members: 1)
        return head.argument
    }

    /// Opens a tag that must have this number.
    package mutating func readTag(_ number: UInt64) throws(WireError) {
        let start = offset
        guard try readTag() == number else { throw WireError(.unexpectedTag, offset: start) }
    }

    /// Reads the next item with all its members, and returns its encoding.
    package mutating func readEncodedItem() throws(WireError) -> [UInt8] {
        let start = offset
        try skipItem()
        return bytes(since: start)
    }
}
