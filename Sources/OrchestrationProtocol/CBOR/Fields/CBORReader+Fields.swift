internal import Primitives

// Fields that several messages share, each with its bounds.
extension CBORReader {
    /// Reads the version of the protocol, which is 1.
    mutating func readVersion() throws(WireError) {
        let start = offset
        guard try readUnsigned() == ProtocolVersion.current else { throw WireError(.unsupportedVersion, offset: start) }
    }

    /// Reads the first two members of a signed message: its name and its direction.
    ///
    /// - Returns: The message in the registry with this name.
    @inline(__always)
    mutating func readMessage(
        direction: UInt64, _ name: (MessageType) -> String
    ) throws(WireError) -> any ChannelMessage.Type {
        let start = offset
        let text = try findText(maximumBytes: MessageType.maximumByteCount)
        for message in RequestBody.messages where isEqual(text, name(message.type)) {
            guard try readUnsigned() == direction else { break }
            return message
        }
        throw WireError(.unexpectedMessage, offset: start)
    }

    /// Reads a tenant: 1 to 64 printable ASCII characters.
    @inline(__always)
    mutating func readTenant() throws(WireError) -> String {
        let start = offset
        let tenant = try findName(maximumBytes: FieldLimit.tenant)
        guard isPrintable(tenant) else { throw WireError(.invalidValue, offset: start) }
        return text(in: tenant)
    }

    /// Reads "user@domain". The code that looks the account up decides whether the text is an account name.
    @inline(__always)
    mutating func readAccount() throws(WireError) -> String {
        try readName(maximumBytes: FieldLimit.account)
    }

    /// Reads a text that is not empty.
    @inline(__always)
    mutating func readName(maximumBytes: Int) throws(WireError) -> String {
        let name = try findName(maximumBytes: maximumBytes)
        return text(in: name)
    }

    /// Reads a text that may be shown: it may be empty, and it contains no character of the lists of ``DisplayText``.
    mutating func readShownText(maximumBytes: Int) throws(WireError) -> String {
        let start = offset
        let text = try readText(maximumBytes: maximumBytes)
        guard DisplayText.hasAllowedCharacters(text) else { throw WireError(.invalidValue, offset: start) }
        return text
    }

    /// Finds a text that is not empty.
    @inline(__always)
    private mutating func findName(maximumBytes: Int) throws(WireError) -> Range<Int> {
        let start = offset
        let name = try findText(maximumBytes: maximumBytes)
        guard !name.isEmpty else { throw WireError(.empty, offset: start) }
        return name
    }

    /// Reads a counter, an index or a generation.
    @inline(__always)
    mutating func readNumber() throws(WireError) -> UInt64 {
        try readUnsigned(maximum: FieldLimit.number)
    }

    /// Reads milliseconds since 1970.
    @inline(__always)
    mutating func readTime() throws(WireError) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: Int64(clamping: try readNumber()))
    }

    /// Reads an unsigned integer within bounds.
    mutating func readNumber(in range: ClosedRange<Int>) throws(WireError) -> Int {
        let start = offset
        guard let number = Int(exactly: try readUnsigned()), range.contains(number) else {
            throw WireError(.integerOutOfRange, offset: start)
        }
        return number
    }

    /// Reads the number of a case. An unknown number is refused.
    package mutating func readCase<Case: RawRepresentable>(
        _ type: Case.Type = Case.self
    ) throws(WireError) -> Case where Case.RawValue == UInt8 {
        let start = offset
        guard let number = UInt8(exactly: try readUnsigned()), let value = Case(rawValue: number) else {
            throw WireError(.invalidValue, offset: start)
        }
        return value
    }

    /// Reads the number of an instance, 1 to 4.
    mutating func readInstance() throws(WireError) -> Instance {
        let start = offset
        guard let number = UInt8(exactly: try readUnsigned()), let instance = Instance(rawValue: number) else {
            throw WireError(.integerOutOfRange, offset: start)
        }
        return instance
    }

    /// Reads the number of a method that a user enrolls: biometric or face.
    mutating func readEnrollableMethod() throws(WireError) -> AuthenticationMethod {
        let start = offset
        let method = try readCase(AuthenticationMethod.self)
        guard method.isEnrollable else { throw WireError(.invalidValue, offset: start) }
        return method
    }

    /// Reads the name of a signed payload that is not a message of the channel.
    mutating func readConstant(_ name: String) throws(WireError) {
        let start = offset
        let text = try findText(maximumBytes: MessageType.maximumByteCount)
        guard isEqual(text, name) else { throw WireError(.unexpectedMessage, offset: start) }
    }

    /// Reads the time until which an approval request can be answered: 1 to 300 seconds after its creation.
    mutating func readExpiry(of created: Timestamp) throws(WireError) -> Timestamp {
        let start = offset
        let expiry = try readTime()
        guard (1_000...FieldLimit.approvalLifetime).contains(expiry.milliseconds(since: created)) else {
            throw WireError(.invalidValue, offset: start)
        }
        return expiry
    }

    /// Reads the algorithm and the public key of a device. The algorithm is ESP256.
    mutating func readDeviceKey() throws(WireError) -> [UInt8] {
        try readArray(count: 2)
        let start = offset
        guard try readInteger() == COSEAlgorithm.esp256.rawValue else {
            throw WireError(.unsupportedAlgorithm, offset: start)
        }
        return try readBytes(count: FieldSize.p256Key)
    }

    /// Reads a signed payload inside a byte string.
    mutating func readSigned() throws(WireError) -> Sign1 {
        try Sign1(decoding: readBytes(maximum: FieldLimit.nested))
    }

    /// Reads a list of numbers in strictly ascending order.
    package mutating func readNumbers(count: ClosedRange<Int>) throws(WireError) -> [UInt64] {
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

    /// Opens the array of a plain command, whose first member is its kind.
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
    package mutating func numbers(_ numbers: [UInt64]) {
        array(numbers.count)
        for number in numbers { unsigned(number) }
    }

    /// Writes milliseconds since 1970. A time before 1970 is written as 1970: the platform answers with its own time.
    mutating func time(_ time: Timestamp) {
        unsigned(UInt64(clamping: time.millisecondsSinceEpoch))
    }

    mutating func deviceKey(_ key: [UInt8]) {
        array(2)
        integer(COSEAlgorithm.esp256.rawValue)
        bytes(key)
    }

    package mutating func optional(_ number: UInt64?) {
        if let number { unsigned(number) } else { null() }
    }

    package mutating func optional(_ value: [UInt8]?) {
        if let value { bytes(value) } else { null() }
    }

    package mutating func optional(_ value: String?) {
        if let value { text(value) } else { null() }
    }
}
