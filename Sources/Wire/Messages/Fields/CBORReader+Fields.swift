internal import Primitives

// Fields that several messages share, each with its bounds.
extension CBORReader {
    /// The version of the protocol, which is 1.
    mutating func readVersion() throws(WireError) {
        let start = offset
        guard try readUnsigned() == ProtocolVersion.current else { throw WireError(.unsupportedVersion, offset: start) }
    }

    /// 1 to 64 printable ASCII characters.
    @inline(__always)
    mutating func findTenant() throws(WireError) -> Range<Int> {
        let start = offset
        let tenant = try findName(maximumBytes: FieldLimit.tenant)
        guard isPrintable(tenant) else { throw WireError(.invalidValue, offset: start) }
        return tenant
    }

    /// "user@domain". Whether it is a name is decided by who looks it up.
    @inline(__always)
    mutating func findAccount() throws(WireError) -> Range<Int> {
        try findName(maximumBytes: FieldLimit.account)
    }

    /// A text that is not empty.
    @inline(__always)
    mutating func findName(maximumBytes: Int) throws(WireError) -> Range<Int> {
        let start = offset
        let name = try findText(maximumBytes: maximumBytes)
        guard !name.isEmpty else { throw WireError(.empty, offset: start) }
        return name
    }

    /// A counter, an index or a generation.
    @inline(__always)
    mutating func readNumber() throws(WireError) -> UInt64 {
        try readUnsigned(maximum: FieldLimit.number)
    }

    /// Milliseconds since 1970.
    @inline(__always)
    mutating func readTime() throws(WireError) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: Int64(clamping: try readNumber()))
    }

    /// An unsigned integer within bounds.
    mutating func readNumber(in range: ClosedRange<Int>) throws(WireError) -> Int {
        let start = offset
        guard let number = Int(exactly: try readUnsigned()), range.contains(number) else {
            throw WireError(.integerOutOfRange, offset: start)
        }
        return number
    }

    /// A list of numbers in ascending order, none of them twice.
    mutating func readNumbers(count: ClosedRange<Int>) throws(WireError) -> [UInt64] {
        let start = offset
        let members = try readArray(maximum: count.upperBound)
        guard members >= count.lowerBound else { throw WireError(.unexpectedCount, offset: start) }
        var numbers: [UInt64] = []
        for _ in 0..<members {
            let memberStart = offset
            let number = try readNumber()
            if let last = numbers.last, number <= last { throw WireError(.invalidValue, offset: memberStart) }
            numbers.append(number)
        }
        return numbers
    }

    /// Opens the array of a plain command, whose first member says what it is.
    mutating func readFrame(_ kind: CommandKind, count: Int) throws(WireError) {
        let start = offset
        let members = try readArray()
        guard members > 0, try readUnsigned() == kind.rawValue else {
            throw WireError(.unexpectedMessage, offset: start)
        }
        guard members == count else { throw WireError(.unexpectedCount, offset: start) }
    }
}

extension CBOROutput {
    mutating func numbers(_ numbers: [UInt64]) {
        array(numbers.count)
        for number in numbers { unsigned(number) }
    }

    /// A device whose clock stands before 1970 says 1970: the platform answers with its own time.
    mutating func time(_ time: Timestamp) {
        unsigned(UInt64(clamping: time.millisecondsSinceEpoch))
    }

    mutating func optional(_ number: UInt64?) {
        if let number { unsigned(number) } else { null() }
    }

    mutating func optional(_ value: [UInt8]?) {
        if let value { bytes(value) } else { null() }
    }
}
