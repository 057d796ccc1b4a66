internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

// The values of a user record, each with its limits.
extension CBORReader {
    mutating func readTimestamp() throws(WireError) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: try readInteger())
    }

    mutating func readAccount() throws(WireError) -> AccountName {
        let start = offset
        try readArray(count: 2)
        let (userID, domain) = (try readText(maximumBytes: 128), try readText(maximumBytes: 64))
        // The SDK writes normalized names only.
        guard let account = try? AccountName(userID: userID, domain: domain), account.userID == userID,
            account.domain == domain
        else { throw WireError(.invalidValue, offset: start) }
        return account
    }

    mutating func readState() throws(WireError) -> UserRecord.State {
        let start = offset
        let count = try readArray()
        switch (try readUnsigned(), count) {
        case (0, 1): return .pending
        case (1, 2): return .passwordProven(receiptHash: try readBytes(count: 32))
        case (2, 1): return .active
        case (3, 2):
            // A newer version may know more reasons.
            guard let reason = LockReason(rawValue: try readText(maximumBytes: 32)) else {
                throw WireError(.unsupportedVersion, offset: start)
            }
            return .locked(reason)
        default: break
        }
        throw WireError(.invalidValue, offset: start)
    }

    mutating func readSerials() throws(WireError) -> [String] {
        let count = try readArray(maximum: 2)
        var serials: [String] = []
        for _ in 0..<count { serials.append(try readText(maximumBytes: 32)) }
        return serials
    }

    mutating func readSuite() throws(WireError) -> UInt8 {
        let start = offset
        let suite = try readUnsigned(maximum: 2)
        guard suite > 0 else { throw WireError(.invalidValue, offset: start) }
        return UInt8(suite)
    }

    mutating func readKey() throws(WireError) -> SymmetricKey {
        var bytes = try readBytes(count: 32)
        defer { bytes.wipe() }
        return SymmetricKey(data: bytes)
    }

    /// Reads the algorithm of the device key. A newer version may know more.
    mutating func readKeyAlgorithm() throws(WireError) -> COSEAlgorithm {
        let start = offset
        let algorithm = COSEAlgorithm(rawValue: try readInteger())
        guard algorithm == .esp256 else { throw WireError(.unsupportedVersion, offset: start) }
        return algorithm
    }

    /// Reads a cost of the list. An edited record could otherwise lower the cost, or allocate without bound.
    mutating func readCost(allowed: Set<ScryptCost>) throws(WireError) -> ScryptCost {
        let start = offset
        try readArray(count: 3)
        let cost = ScryptCost(
            logarithm: Int(try readUnsigned(maximum: 63)), blockSize: Int(try readUnsigned(maximum: 255)),
            parallelism: Int(try readUnsigned(maximum: 255)))
        guard allowed.contains(cost) else { throw WireError(.invalidValue, offset: start) }
        return cost
    }

    mutating func readPolicy() throws(WireError) -> PINPolicy {
        let start = offset
        try readArray(count: 4)
        let policy = PINPolicy(
            minimumLength: Int(try readUnsigned(maximum: 64)), maximumLength: Int(try readUnsigned(maximum: 64)),
            digitsOnly: try readBoolean(), tries: Int(try readUnsigned(maximum: 64)))
        guard let policy else { throw WireError(.invalidValue, offset: start) }
        return policy
    }

    mutating func readApplications() throws(WireError) -> [CryptoApplication] {
        let count = try readArray(maximum: 8)
        var applications: [CryptoApplication] = []
        for _ in 0..<count {
            let start = offset
            try readArray(count: 5)
            let index = UInt8(try readUnsigned(maximum: 8))
            let kind = CryptoApplication.Kind(rawValue: UInt8(try readUnsigned(maximum: 255)))
            let digits = Int(try readUnsigned(maximum: 10))
            let timeStep = Int(try readUnsigned(maximum: 86_400))
            let hasHostCode = try readBoolean()
            guard let kind,
                let application = CryptoApplication(
                    index: index, kind: kind, digits: digits, timeStep: timeStep, hasHostCode: hasHostCode)
            else { throw WireError(.invalidValue, offset: start) }
            applications.append(application)
        }
        return applications
    }

    mutating func readCounters() throws(WireError) -> [UInt8: UInt64] {
        let start = offset
        let count = try readMap()
        guard count <= 8 else { throw WireError(.tooManyItems, offset: start) }
        var counters: [UInt8: UInt64] = [:]
        for _ in 0..<count {
            let index = UInt8(try readUnsigned(maximum: 8))
            counters[index] = try readUnsigned()
        }
        return counters
    }
}
