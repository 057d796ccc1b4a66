/// Reads the items of a message that comes often and whose structure is the same each time.
///
/// ``CBORReader`` keeps track of what is open; here the caller reads exactly the members that an array has announced, in
/// their order, and no maps. What an item must look like is said by ``CBORHead`` and ``CBORText`` for both, and both
/// refuse in the same words. It must not outlive the memory.
@safe
struct CBORScanner {
    private let memory: UnsafeRawBufferPointer
    private var itemsLeft: Int

    /// Where the next item starts, in bytes from 0.
    private(set) var offset = 0

    @unsafe
    init(_ memory: UnsafeRawBufferPointer) {
        unsafe self.memory = memory
        itemsLeft = memory.count <= CBORLimits.default.bytes ? CBORLimits.default.items : 0
    }

    private var byteCount: Int { unsafe memory.count }

    /// Goes on behind an item that somebody else has read.
    mutating func skip(to offset: Int) { self.offset = offset }

    /// Refuses bytes after the last item.
    @inline(__always)
    func finish() throws(WireError) {
        guard offset == byteCount else { throw WireError(.trailingBytes, offset: offset) }
    }

    // MARK: Items

    @inline(__always)
    mutating func readUnsigned(in range: ClosedRange<UInt64> = 0...UInt64.max) throws(WireError) -> UInt64 {
        let head = try readHead(.unsigned)
        guard range.contains(head.argument) else { throw WireError(.integerOutOfRange, offset: head.start) }
        return head.argument
    }

    @inline(__always)
    mutating func readBoolean() throws(WireError) -> Bool {
        let head = try readHead(.simple)
        guard head.argument != CBORSimpleValue.null else { throw WireError(.unexpectedType, offset: head.start) }
        return head.argument == CBORSimpleValue.true
    }

    /// Where the content of a byte string of exactly this length stands.
    @inline(__always)
    mutating func findBytes(count: Int) throws(WireError) -> Range<Int> {
        let head = try readHead(.bytes)
        guard head.argument == UInt64(clamping: count) else { throw WireError(.unexpectedLength, offset: head.start) }
        return try readContent(head)
    }

    /// Where the content of a text of at most this many UTF-8 bytes stands.
    @inline(__always)
    mutating func findText(maximumBytes: Int) throws(WireError) -> Range<Int> {
        let head = try readHead(.text)
        let content = try readContent(head)
        guard content.count <= maximumBytes else { throw WireError(.tooLarge, offset: head.start) }
        guard CBORText.isValid(unsafe Span(_unsafeBytes: memory).extracting(content)) else {
            throw WireError(.invalidUTF8, offset: head.start)
        }
        return content
    }

    /// The same for a text that is not empty.
    @inline(__always)
    mutating func findName(maximumBytes: Int) throws(WireError) -> Range<Int> {
        let start = offset
        let name = try findText(maximumBytes: maximumBytes)
        guard !name.isEmpty else { throw WireError(.empty, offset: start) }
        return name
    }

    /// The same for 1 to 64 printable ASCII characters.
    @inline(__always)
    mutating func findTenant() throws(WireError) -> Range<Int> {
        let start = offset
        let tenant = try findName(maximumBytes: FieldLimit.tenant)
        guard CBORText.isPrintable(unsafe Span(_unsafeBytes: memory).extracting(tenant)) else {
            throw WireError(.invalidValue, offset: start)
        }
        return tenant
    }

    /// Reads the head of an array of exactly this many items, which come next.
    @inline(__always)
    mutating func readArray(count: Int) throws(WireError) {
        let start = offset
        guard try readArray() == count else { throw WireError(.unexpectedCount, offset: start) }
    }

    /// Reads the head of an array of at most this many items, which come next.
    mutating func readArray(maximum: Int) throws(WireError) -> Int {
        let start = offset
        let count = try readArray()
        guard count <= maximum else { throw WireError(.tooManyItems, offset: start) }
        return count
    }

    @inline(__always)
    private mutating func readArray() throws(WireError) -> Int {
        let head = try readHead(.array)
        let members = try head.members()
        guard members <= itemsLeft else { throw WireError(.tooManyItems, offset: head.start) }
        // Every member takes a byte at least.
        guard members <= byteCount - offset else { throw WireError(.truncated, offset: head.start) }
        return members
    }

    /// Whether bytes that have been read are those of a text.
    @inline(__always)
    func isEqual(_ content: Range<Int>, _ text: String) -> Bool {
        CBORText.isEqual(unsafe Span(_unsafeBytes: memory).extracting(content), text)
    }

    // MARK: What they are made of

    @inline(__always)
    private mutating func readHead(_ type: CBORMajorType) throws(WireError) -> CBORHead {
        guard itemsLeft > 0 else { throw exhausted }
        let head = try CBORHead(unsafe Span(_unsafeBytes: memory), at: offset)
        offset &+= head.byteCount
        itemsLeft &-= 1
        guard head.type == type else { throw WireError(.unexpectedType, offset: head.start) }
        return head
    }

    private var exhausted: WireError {
        byteCount > CBORLimits.default.bytes ? WireError(.tooLarge) : WireError(.tooManyItems, offset: offset)
    }

    @inline(__always)
    private mutating func readContent(_ head: CBORHead) throws(WireError) -> Range<Int> {
        guard head.argument <= UInt64(byteCount - offset) else { throw WireError(.truncated, offset: head.start) }
        let start = offset
        offset += Int(head.argument)
        return start..<offset
    }
}
