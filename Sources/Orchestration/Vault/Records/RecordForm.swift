internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The form of a value in a record: how it is read, with its limits, and how it is written.
struct RecordForm<Value> {
    let read: (inout CBORReader) throws(WireError) -> Value
    let write: (inout CBORWriter, Value) -> Void

    /// An array of values of one form.
    ///
    /// - Parameter isValid: Whether a record may contain such an array.
    static func list<Element>(
        of form: RecordForm<Element>, maximum: Int, where isValid: @escaping ([Element]) -> Bool = { _ in true }
    ) -> Self where Value == [Element] {
        Self { reader throws(WireError) in
            let start = reader.offset
            var values: [Element] = []
            for _ in 0..<(try reader.readArray(maximum: maximum)) { values.append(try form.read(&reader)) }
            guard isValid(values) else { throw WireError(.invalidValue, offset: start) }
            return values
        } write: { writer, values in
            writer.array(values.count)
            for value in values { form.write(&writer, value) }
        }
    }

    /// An array with one member of each form.
    ///
    /// - Parameters:
    ///   - members: Returns the members of a value.
    ///   - make: Returns the value with these members; `nil` for members that no value has.
    static func array<each Member>(
        of form: repeat RecordForm<each Member>, members: @escaping (Value) -> (repeat each Member),
        make: @escaping (repeat each Member) -> Value?
    ) -> Self {
        var count = 0
        for _ in repeat each form { count += 1 }
        return Self { [count] reader throws(WireError) in
            let start = reader.offset
            try reader.readArray(count: count)
            let members = (repeat try (each form).read(&reader))
            guard let value = make(repeat each members) else { throw WireError(.invalidValue, offset: start) }
            return value
        } write: { [count] writer, value in
            writer.array(count)
            let members = members(value)
            repeat (each form).write(&writer, each members)
        }
    }
}

// Single items.
extension RecordForm {
    static func bytes(_ count: Int) -> Self where Value == [UInt8] {
        Self(read: { reader throws(WireError) in try reader.readBytes(count: count) }, write: { $0.bytes($1) })
    }

    static func bytes(maximum: Int) -> Self where Value == [UInt8] {
        Self(read: { reader throws(WireError) in try reader.readBytes(maximum: maximum) }, write: { $0.bytes($1) })
    }

    static func text(maximum: Int) -> Self where Value == String {
        Self(read: { reader throws(WireError) in try reader.readText(maximumBytes: maximum) }, write: { $0.text($1) })
    }

    /// An integer that is not negative.
    static func unsigned(_ range: ClosedRange<Value> = 0...Value.max) -> Self where Value: FixedWidthInteger {
        Self { reader throws(WireError) in
            let start = reader.offset
            let value = Value(truncatingIfNeeded: try reader.readUnsigned(maximum: UInt64(range.upperBound)))
            guard range.contains(value) else { throw WireError(.invalidValue, offset: start) }
            return value
        } write: {
            $0.unsigned(UInt64($1))
        }
    }
}

extension RecordForm<Int64> {
    static var integer: Self {
        Self(read: { reader throws(WireError) in try reader.readInteger() }, write: { $0.integer($1) })
    }
}

extension RecordForm<Bool> {
    static var boolean: Self {
        Self(read: { reader throws(WireError) in try reader.readBoolean() }, write: { $0.boolean($1) })
    }
}

extension RecordForm<Timestamp> {
    static var time: Self {
        Self { reader throws(WireError) in
            Timestamp(millisecondsSinceEpoch: try reader.readInteger())
        } write: {
            $0.integer($1.millisecondsSinceEpoch)
        }
    }
}

extension RecordForm<SymmetricKey> {
    static var key: Self {
        Self { reader throws(WireError) in
            var bytes = try reader.readBytes(count: 32)
            defer { bytes.wipe() }
            return SymmetricKey(data: bytes)
        } write: { writer, key in
            unsafe key.withUnsafeBytes { unsafe writer.bytes($0) }
        }
    }
}

extension RecordForm<COSEAlgorithm> {
    /// The algorithm of a device key. A newer version may support more algorithms.
    static var keyAlgorithm: Self {
        Self { reader throws(WireError) in
            let start = reader.offset
            let algorithm = COSEAlgorithm(rawValue: try reader.readInteger())
            guard algorithm == .esp256 else { throw WireError(.unsupportedVersion, offset: start) }
            return algorithm
        } write: {
            $0.integer($1.rawValue)
        }
    }
}

// Items with members.
extension RecordForm<[UInt64]> {
    /// Numbers in ascending order.
    static func numbers(maximum: Int) -> Self {
        Self(
            read: { reader throws(WireError) in try reader.readNumbers(count: 0...maximum) },
            write: { $0.numbers($1) })
    }
}

extension RecordForm<KeyStatement> {
    static var keyStatement: Self {
        Self(read: { reader throws(WireError) in try KeyStatement(from: &reader) }, write: { $1.write(to: &$0) })
    }
}

extension RecordForm<SentDeviceData> {
    static var deviceData: Self {
        Self { reader throws(WireError) in
            try SentDeviceData(decoding: reader.readBytes(maximum: SentDeviceData.maximumEncodedBytes))
        } write: {
            $0.bytes($1.encoded)
        }
    }
}

extension RecordForm<AccountName> {
    static var account: Self {
        array(of: .text(maximum: 128), .text(maximum: 64), members: { ($0.userID, $0.domain) }) { userID, domain in
            // The SDK writes normalized names only.
            guard let account = try? AccountName(userID: userID, domain: domain), account.userID == userID,
                account.domain == domain
            else { return nil }
            return account
        }
    }
}

extension RecordForm<UserRecord.State> {
    static var state: Self {
        Self { reader throws(WireError) in
            let start = reader.offset
            let count = try reader.readArray()
            switch (try reader.readUnsigned(), count) {
            case (0, 1): return .pending
            case (1, 2): return .passwordProven(receiptHash: try reader.readBytes(count: 32))
            case (2, 1): return .active
            case (3, 2):
                // A newer version may have more reasons.
                guard let reason = LockReason(rawValue: try reader.readText(maximumBytes: 32)) else {
                    throw WireError(.unsupportedVersion, offset: start)
                }
                return .locked(reason)
            default: throw WireError(.invalidValue, offset: start)
            }
        } write: { writer, state in
            switch state {
            case .pending:
                writer.array(1)
                writer.unsigned(0)
            case .passwordProven(let hash):
                writer.array(2)
                writer.unsigned(1)
                writer.bytes(hash)
            case .active:
                writer.array(1)
                writer.unsigned(2)
            case .locked(let reason):
                writer.array(2)
                writer.unsigned(3)
                writer.text(reason.rawValue)
            }
        }
    }
}

extension RecordForm<ScryptCost> {
    /// A cost from the list. An edited record could otherwise lower the cost, or cause an unbounded allocation.
    static func cost(allowed: Set<ScryptCost>) -> Self {
        array(
            of: .unsigned(0...63), .unsigned(0...255), .unsigned(0...255),
            members: { ($0.logarithm, $0.blockSize, $0.parallelism) }
        ) {
            let cost = ScryptCost(logarithm: $0, blockSize: $1, parallelism: $2)
            return allowed.contains(cost) ? cost : nil
        }
    }
}

extension RecordForm<PINPolicy> {
    static var policy: Self {
        array(
            of: .unsigned(0...64), .unsigned(0...64), .boolean, .unsigned(0...64),
            members: { ($0.minimumLength, $0.maximumLength, $0.digitsOnly, $0.tries) },
            make: { PINPolicy(minimumLength: $0, maximumLength: $1, digitsOnly: $2, tries: $3) })
    }
}

extension RecordForm<CryptoApplication> {
    static var application: Self {
        array(
            of: .unsigned(), .unsigned(), .unsigned(0...10), .unsigned(0...86_400), .boolean,
            members: { ($0.index.rawValue, $0.kind.rawValue, $0.digits, $0.timeStepSeconds, $0.hasHostCode) }
        ) { index, kind, digits, timeStep, hasHostCode in
            guard let kind = CryptoApplication.Kind(rawValue: kind) else { return nil }
            return CryptoApplication(
                index: index, kind: kind, digits: digits, timeStep: timeStep, hasHostCode: hasHostCode)
        }
    }
}

extension RecordForm<[UInt8: UInt64]> {
    /// The counters in the order of their encodings, which is the order of indexes below 24.
    static var counters: Self {
        Self { reader throws(WireError) in
            let start = reader.offset
            let count = try reader.readMap()
            guard count <= 8 else { throw WireError(.tooManyItems, offset: start) }
            var counters: [UInt8: UInt64] = [:]
            for _ in 0..<count {
                let index = UInt8(try reader.readUnsigned(maximum: 8))
                counters[index] = try reader.readUnsigned()
            }
            return counters
        } write: { writer, counters in
            writer.map(counters.count)
            for (index, counter) in counters.sorted(by: { $0.key < $1.key }) {
                writer.unsigned(UInt64(index))
                writer.unsigned(counter)
            }
        }
    }
}

extension RecordForm<[AccountNoticeForm]> {
    static var notices: Self {
        list(of: .notice, maximum: AccountNotice.maximumCount) { notices in
            zip(notices, notices.dropFirst()).allSatisfy { $0.number < $1.number }
        }
    }
}

extension RecordForm<AccountNoticeForm> {
    /// The number of a kind may come from a newer platform.
    fileprivate static var notice: Self {
        let number = RecordForm<UInt64>.unsigned(0...UInt64(Int64.max))
        return array(
            of: number, number, .time, .bytes(16), members: { ($0.number, $0.kind, $0.time, $0.device) },
            make: { AccountNoticeForm(number: $0, kind: $1, time: $2, device: $3) })
    }
}
