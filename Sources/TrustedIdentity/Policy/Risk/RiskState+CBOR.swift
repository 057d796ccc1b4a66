package import OrchestrationProtocol
internal import Primitives

extension RiskState {
    /// The length of a creditor's or a browser's keyed hash.
    static let hashBytes = 16
    /// The maximum number of bytes of ``encoded``.
    package static let maximumBytes = 2_607

    private static let version: UInt64 = 1

    /// The stored form: deterministic CBOR, at most ``maximumBytes`` bytes.
    package var encoded: [UInt8] {
        var output = CBORWriter(capacity: 256)
        output.array(12)
        output.unsigned(Self.version)
        for times in [pushes, rejections, provenRejections] {
            output.array(times.count)
            for time in times { output.integer(time.millisecondsSinceEpoch) }
        }
        for time in [notMe, strictUntil, stepUpUntil, mutedUntil, lastStrongApproval] {
            if let time { output.integer(time.millisecondsSinceEpoch) } else { output.null() }
        }
        output.array(1 + smallPayments.sums.count)
        output.unsigned(UInt64(smallPayments.count))
        for sum in smallPayments.sums {
            output.array(2)
            output.text(sum.currency.code)
            output.unsigned(sum.minorUnits)
        }
        for hashes in [creditors, browsers] {
            output.array(hashes.count)
            for hash in hashes { output.bytes(hash) }
        }
        return output.finish()
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``WireError`` for bytes that ``encoded`` does not make.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Self.maximumBytes else { throw WireError(.tooLarge) }
        var reader = CBORReader(bytes)
        self.init()
        try reader.readArray(count: 12)
        guard try reader.readUnsigned() == Self.version else { throw WireError(.unsupportedVersion) }
        pushes = try reader.readTimes(maximum: Self.maximumPushes)
        rejections = try reader.readTimes(maximum: Self.maximumRejections)
        provenRejections = try reader.readTimes(maximum: Self.maximumRejections)
        notMe = try reader.readOptionalTime()
        strictUntil = try reader.readOptionalTime()
        stepUpUntil = try reader.readOptionalTime()
        mutedUntil = try reader.readOptionalTime()
        lastStrongApproval = try reader.readOptionalTime()
        smallPayments = try SmallPayments(from: &reader)
        creditors = try reader.readHashes(maximum: Self.maximumCreditors)
        browsers = try reader.readHashes(maximum: Self.maximumBrowsers)
        try reader.finish()
    }
}

extension RiskState.SmallPayments {
    fileprivate init(from reader: inout CBORReader) throws(WireError) {
        self.init()
        let start = reader.offset
        let members = try reader.readArray(maximum: 1 + Self.maximumCurrencies)
        guard members > 0 else { throw WireError(.unexpectedCount, offset: start) }
        count = Int(try reader.readUnsigned(maximum: UInt64(Int32.max)))
        for _ in 1..<members {
            let start = reader.offset
            try reader.readArray(count: 2)
            let code = try reader.readText(maximumBytes: 3)
            guard let currency = try? Currency(code), sums.last.map({ $0.currency.code < code }) ?? true else {
                throw WireError(.invalidValue, offset: start)
            }
            sums.append(MonetaryAmount(minorUnits: try reader.readUnsigned(), currency: currency))
        }
    }
}

extension CBORReader {
    fileprivate mutating func readTimes(maximum: Int) throws(WireError) -> [Timestamp] {
        var times: [Timestamp] = []
        for _ in 0..<(try readArray(maximum: maximum)) {
            times.append(Timestamp(millisecondsSinceEpoch: try readInteger()))
        }
        return times
    }

    fileprivate mutating func readHashes(maximum: Int) throws(WireError) -> [[UInt8]] {
        var hashes: [[UInt8]] = []
        for _ in 0..<(try readArray(maximum: maximum)) { hashes.append(try readBytes(count: RiskState.hashBytes)) }
        return hashes
    }

    fileprivate mutating func readOptionalTime() throws(WireError) -> Timestamp? {
        try readIfNull() ? nil : Timestamp(millisecondsSinceEpoch: try readInteger())
    }
}
