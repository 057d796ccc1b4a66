public import Primitives

/// The record of a decision: the request, the rule that decided, and the reason why a method or a number is missing.
///
/// The platform stores it, names its id in the approval request and the receipt, and shows it to keys of the scope
/// `admin`. It contains no secret, no address, and no text that the user sees.
public struct DecisionRecord: Sendable, Hashable {
    /// The situation that was decided.
    public struct Summary: Sendable, Hashable {
        /// The kind of the request.
        public let request: Situation.Request
        /// The first 64 bytes of the transaction or event type.
        public let type: String?
        /// The amount of a transaction.
        public let amount: MonetaryAmount?
        /// Whether the account has paid the creditor before.
        public let creditor: Situation.Recognition
        /// Whether the fingerprint of the browser is known.
        public let browser: Situation.Recognition
        /// Whether the source has logged in before.
        public let isSourceKnown: Bool
        /// Whether the API key's site shows numbers.
        public let showsNumbers: Bool
        /// Whether the account was in the strict mode.
        public let isStrict: Bool
        /// The number of payments by possession since the last strong approval.
        public let smallPayments: Int
        /// The number of rejections that are remembered.
        public let rejections: Int
    }

    /// The id of the record, 16 bytes.
    public let id: [UInt8]
    /// The time of the decision, by the platform's clock.
    public let time: Timestamp
    /// The account as `user@domain`.
    public let account: String
    /// The situation that was decided.
    public let summary: Summary
    /// The decision.
    public let decision: PolicyDecision
}

extension DecisionRecord {
    /// Creates a record.
    ///
    /// - Parameters:
    ///   - id: 16 random bytes.
    ///   - account: The account.
    ///   - situation: The situation of the decision. A summary of it is kept.
    ///   - decision: The decision of the policy on it.
    public init(id: [UInt8], account: AccountName, situation: Situation, decision: PolicyDecision) {
        precondition(id.count == Self.idBytes, "the id of a decision has 16 bytes")
        self.init(
            id: id, time: situation.time, account: account.text, summary: Summary(situation), decision: decision)
    }
}

extension DecisionRecord.Summary {
    fileprivate init(_ situation: Situation) {
        request = situation.request
        type = situation.type.map { $0.prefix(utf8Bytes: DecisionRecord.maximumTypeBytes) }
        amount = situation.amount
        creditor = situation.creditor
        browser = situation.browser
        isSourceKnown = situation.isSourceKnown
        showsNumbers = situation.showsNumbers
        isStrict = situation.risk.isStrict(at: situation.time)
        smallPayments = situation.risk.smallPayments.count
        rejections = situation.risk.rejections.count
    }
}

extension String {
    /// Returns the longest prefix of whole scalars with at most this many bytes.
    fileprivate func prefix(utf8Bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var prefix = String.UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            prefix.append(scalar)
        }
        return String(prefix)
    }
}
