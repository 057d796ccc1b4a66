package import OrchestrationProtocol
internal import Primitives

extension DecisionRecord {
    /// The length of an id.
    package static let idBytes = 16
    /// The maximum number of bytes of ``encoded``.
    package static let maximumBytes = 512

    static let maximumTypeBytes = 64
    private static let version: UInt64 = 1

    /// The stored form: deterministic CBOR, at most ``maximumBytes`` bytes.
    package var encoded: [UInt8] {
        var output = CBORWriter(capacity: 256)
        output.array(6)
        output.unsigned(Self.version)
        output.bytes(id)
        output.integer(time.millisecondsSinceEpoch)
        output.text(account)
        summary.write(to: &output)
        decision.write(to: &output)
        return output.finish()
    }

    /// Reads the stored form.
    ///
    /// - Throws: ``WireError`` for bytes that ``encoded`` does not make.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Self.maximumBytes else { throw WireError(.tooLarge) }
        var reader = CBORReader(bytes)
        try reader.readArray(count: 6)
        guard try reader.readUnsigned() == Self.version else { throw WireError(.unsupportedVersion) }
        let id = try reader.readBytes(count: Self.idBytes)
        let time = Timestamp(millisecondsSinceEpoch: try reader.readInteger())
        let account = try reader.readText(maximumBytes: 193)
        let summary = try Summary(from: &reader)
        let decision = try PolicyDecision(from: &reader)
        self.init(id: id, time: time, account: account, summary: summary, decision: decision)
        try reader.finish()
    }
}

extension DecisionRecord.Summary {
    fileprivate func write(to output: inout CBORWriter) {
        output.array(11)
        request.write(to: &output)
        output.optional(type)
        if let amount {
            output.array(2)
            output.unsigned(amount.minorUnits)
            output.text(amount.currency.code)
        } else {
            output.null()
        }
        output.unsigned(UInt64(creditor.rawValue))
        output.unsigned(UInt64(browser.rawValue))
        output.boolean(isSourceKnown)
        output.boolean(showsNumbers)
        output.boolean(isStrict)
        output.unsigned(UInt64(smallPayments))
        output.unsigned(UInt64(rejections))
        // Later versions add to the map.
        output.map(0)
    }

    fileprivate init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 11)
        request = try Situation.Request(from: &reader)
        type = try reader.readIfNull() ? nil : reader.readText(maximumBytes: DecisionRecord.maximumTypeBytes)
        amount = try reader.readAmount()
        creditor = try reader.readCase()
        browser = try reader.readCase()
        isSourceKnown = try reader.readBoolean()
        showsNumbers = try reader.readBoolean()
        isStrict = try reader.readBoolean()
        smallPayments = Int(try reader.readUnsigned(maximum: UInt64(Int32.max)))
        rejections = Int(try reader.readUnsigned(maximum: UInt64(RiskState.maximumRejections)))
        let start = reader.offset
        guard try reader.readIfEmptyMap() else { throw WireError(.invalidValue, offset: start) }
    }
}

extension Situation.Request {
    fileprivate func write(to output: inout CBORWriter) {
        output.array(3)
        switch self {
        case .login: output.request(0)
        case .transaction: output.request(1)
        case .event: output.request(2)
        case .typedCode(let application, let method): output.request(3, application, method)
        case .staticPassword: output.request(4)
        case .localSignature(let method): output.request(5, nil, method)
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        try reader.readArray(count: 3)
        let kind = try reader.readUnsigned()
        let application: CryptoApplicationIndex? = try reader.readIfNull() ? nil : reader.readCase()
        let method: AuthenticationMethod? = try reader.readIfNull() ? nil : reader.readCase()
        switch (kind, application, method) {
        case (0, nil, nil): self = .login
        case (1, nil, nil): self = .transaction
        case (2, nil, nil): self = .event
        case (3, let application?, let method?): self = .typedCode(application: application, method: method)
        case (4, nil, nil): self = .staticPassword
        case (5, nil, let method?): self = .localSignature(method: method)
        default: throw WireError(.invalidValue, offset: start)
        }
    }
}

extension PolicyDecision {
    fileprivate func write(to output: inout CBORWriter) {
        output.array(5)
        output.text(policy)
        output.text(rule)
        switch outcome {
        case .accept:
            output.array(1)
            output.unsigned(0)
        case .refuse(let refusal):
            output.array(2)
            output.unsigned(1)
            output.unsigned(UInt64(refusal.rawValue))
        case .challenge(let challenge):
            output.array(6)
            output.unsigned(2)
            output.unsigned(UInt64(challenge.method.rawValue))
            output.unsigned(UInt64(challenge.digits))
            output.unsigned(UInt64(challenge.rejection.rawValue))
            output.array(challenge.fallbacks.count)
            for method in challenge.fallbacks { output.unsigned(UInt64(method.rawValue)) }
            output.unsigned(UInt64(challenge.pushes.rawValue))
        }
        output.unsigned(UInt64(number.rawValue))
        output.optional(unavailableMethod.map { UInt64($0.rawValue) })
    }

    fileprivate init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 5)
        let policy = try reader.readName()
        let rule = try reader.readName()
        let outcome = try Outcome(from: &reader)
        let number: NumberUse = try reader.readCase()
        let unavailable: AuthenticationMethod? = try reader.readIfNull() ? nil : reader.readCase()
        self.init(
            policy: policy, rule: rule, outcome: outcome, number: number, unavailableMethod: unavailable)
    }
}

extension PolicyDecision.Outcome {
    fileprivate init(from reader: inout CBORReader) throws(WireError) {
        let start = reader.offset
        let members = try reader.readArray(maximum: 6)
        switch (try reader.readUnsigned(), members) {
        case (0, 1): self = .accept
        case (1, 2): self = .refuse(try reader.readCase())
        case (2, 6):
            let method: AuthenticationMethod = try reader.readCase()
            let digitsStart = reader.offset
            let digits = Int(try reader.readUnsigned(maximum: UInt64(PolicyRequirement.digitCounts.upperBound)))
            guard digits != 1 else { throw WireError(.invalidValue, offset: digitsStart) }
            let rejection: AuthenticationMethod = try reader.readCase()
            var fallbacks: [AuthenticationMethod] = []
            for _ in 0..<(try reader.readArray(maximum: AuthenticationMethod.allCases.count)) {
                fallbacks.append(try reader.readCase())
            }
            self = .challenge(
                .init(
                    method: method, digits: digits, rejection: rejection, fallbacks: fallbacks,
                    pushes: try reader.readCase()))
        default: throw WireError(.invalidValue, offset: start)
        }
    }
}

extension CBORWriter {
    fileprivate mutating func request(
        _ kind: UInt64, _ application: CryptoApplicationIndex? = nil, _ method: AuthenticationMethod? = nil
    ) {
        unsigned(kind)
        optional(application.map { UInt64($0.rawValue) })
        optional(method.map { UInt64($0.rawValue) })
    }
}

extension CBORReader {
    fileprivate mutating func readName() throws(WireError) -> String {
        let start = offset
        let name = try readText(maximumBytes: 64)
        guard Policy.isName(name) else { throw WireError(.invalidValue, offset: start) }
        return name
    }

    fileprivate mutating func readAmount() throws(WireError) -> MonetaryAmount? {
        guard try !readIfNull() else { return nil }
        let start = offset
        try readArray(count: 2)
        let units = try readUnsigned()
        guard let currency = try? Currency(readText(maximumBytes: 3)) else {
            throw WireError(.invalidValue, offset: start)
        }
        return MonetaryAmount(minorUnits: units, currency: currency)
    }
}
