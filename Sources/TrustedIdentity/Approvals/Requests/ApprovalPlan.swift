internal import OrchestrationProtocol
internal import Primitives

/// The decision on a new approval request. It is a pure function of the rows; the platform writes the result.
struct ApprovalPlan {
    /// The maximum number of pending logins of an account.
    static let maximumPendingLogins = 3
    /// The maximum number of pending requests of an account for one address that the site names. A known source may
    /// exceed it.
    static let maximumPendingOfAddress = 3
    /// The time in milliseconds for which a login that a device has opened is not replaced by an unknown source.
    static let openedTime: Int64 = 60_000
    /// The maximum number of pending requests of an account.
    static let maximumPending = FieldLimit.approvals

    /// The outcome of the plan.
    enum Outcome: Equatable {
        /// The policy decides without an approval request.
        case ends(ApprovalReport.Status, ApprovalReport.DeclineReason?)
        /// Devices are asked. The request replaces others.
        case asks(PolicyDecision.Challenge, replaced: [ApprovalRecord])
    }

    let situation: Situation
    /// The decision for the decision record, which states whether the devices have the method.
    let decision: PolicyDecision
    let outcome: Outcome
    /// The risk state after the decision.
    let risk: RiskState
    /// The keyed hash of the creditor, 16 bytes; `nil` for a creditor that is not remembered.
    let creditor: [UInt8]?
    /// The keyed hash of the browser fingerprint, 16 bytes.
    let browser: [UInt8]?
    /// The rules that depend on the data of the device that answers, encoded.
    let deviceRules: [UInt8]?

    /// Decides.
    ///
    /// - Parameters:
    ///   - risk: The risk state before the decision.
    ///   - hashes: The keyed hashes of the platform, for the creditor and the browser.
    init(
        _ parameters: ApprovalParameters, rows: ApprovalRows, risk: RiskState, hashes: KeyedHashes, policy: Policy,
        now: Timestamp
    ) {
        // A name must not pass as the account of a creditor that the user knows. It is therefore neither looked up nor
        // remembered.
        let isMisnamed = parameters.display.namesAccountNumber
        creditor = isMisnamed ? nil : parameters.creditor.map { hashes.stored(creditor: $0, of: rows.name.text) }
        browser = parameters.risk.fingerprint.map { hashes.stored(browser: $0, of: rows.name.text) }
        var situation = Situation(parameters.kind.situation, at: now)
        situation.type = parameters.risk.type
        situation.amount = parameters.amount
        situation.creditor = isMisnamed ? .new : risk.recognizes(creditor: creditor)
        situation.showsFreeText = parameters.display.showsFreeText
        situation.address = parameters.risk.address
        situation.browser = risk.recognizes(browser: browser)
        situation.isSourceKnown = rows.isSourceKnown
        situation.showsNumbers = parameters.showsNumbers
        situation.deviceAge = rows.devices.compactMap(\.activatedAt).max().map { latest in
            .milliseconds(max(0, now.milliseconds(since: latest)))
        }
        situation.risk = risk
        // Payments that wait count as if they were approved already: a burst must not pass a limit together.
        for payment in rows.pending where payment.kind == .transaction && payment.acceptedMethods.contains(.possession)
        {
            situation.risk.record(.paidByPossession(payment.monetaryAmount), at: now, policy: policy)
        }
        // The reply names the method. It must not show whether a user has devices, and which ones. The devices
        // therefore matter for the record only. A device without the method answers by a fallback. For the same reason,
        // device data does not count here: the rules on it are stored, and decide when a device answers.
        let asked = policy.decide(situation)
        deviceRules = policy.deviceRules(for: situation)?.encoded
        situation.availableMethods = rows.availableMethods(acceptsSoftware: policy.softwareProviders)
        self.situation = situation
        decision = policy.decide(situation).asking(asked)
        var risk = risk
        switch asked.outcome {
        case .accept:
            // Nothing is accepted for a user who does not exist.
            outcome = rows.account == nil ? .ends(.refused, .policy) : .ends(.accepted, nil)
            // It counts as a payment that the user has not approved strongly.
            if parameters.kind == .transaction, rows.account != nil {
                risk.record(.paidByPossession(parameters.amount), at: now, policy: policy)
            }
        case .refuse:
            outcome = .ends(.refused, .policy)
        case .challenge(let challenge):
            guard let replaced = Self.replaced(by: parameters, rows: rows, now: now) else {
                outcome = .ends(.refused, .tooManyPending)
                break
            }
            outcome = .asks(challenge, replaced: replaced)
            if challenge.pushes == .allowed { risk.record(.pushed, at: now, policy: policy) }
        }
        self.risk = risk
    }

    /// Returns the requests that a new one replaces; `nil` when the maximum number is pending.
    ///
    /// A login replaces the login of the same source. When three others wait, it replaces one from an unknown source.
    /// Strangers therefore cannot exclude the user.
    private static func replaced(
        by parameters: ApprovalParameters, rows: ApprovalRows, now: Timestamp
    ) -> [ApprovalRecord]? {
        // A login that names neither source nor session is not the same as any other one.
        var replaced = rows.pending.filter { other in
            parameters.kind == .login && other.kind == .login && !rows.source.isEmpty
                && other.principal == parameters.principalID && other.source == rows.source
        }
        let others = rows.pending.filter { !replaced.contains($0) }
        let logins = others.filter { $0.kind == .login }
        let ofAddress = others.filter { !rows.address.isEmpty && $0.address == rows.address }
        // A stranger at the address of the user, such as behind one gateway, does not exclude the user's known browser.
        let isAddressFull = ofAddress.count >= maximumPendingOfAddress && !rows.isSourceKnown
        if parameters.kind != .login {
            guard !isAddressFull else { return nil }
        } else if isAddressFull || logins.count >= maximumPendingLogins {
            // Logins of the same address come first: a flood from one address replaces itself.
            let ownLogins = ofAddress.filter { $0.kind == .login }
            let own = replaceable(among: ownLogins, rows: rows, now: now)
            guard let older = own ?? (isAddressFull ? nil : replaceable(among: logins, rows: rows, now: now)) else {
                return nil
            }
            replaced.append(older)
        }
        return rows.pending.count - replaced.count < maximumPending ? replaced : nil
    }

    /// Returns the login of an unknown source that a newer one replaces: the oldest that no device has opened,
    /// otherwise the one that was opened longest ago. A login that the user reads stays for a while, except from a
    /// known source.
    private static func replaceable(
        among logins: [ApprovalRecord], rows: ApprovalRows, now: Timestamp
    ) -> ApprovalRecord? {
        let unknown = logins.filter { !rows.knownSources.contains($0.source) }
        if let unopened = unknown.first(where: { $0.openedAt == nil }) { return unopened }
        guard let oldest = unknown.min(by: { ($0.openedAt ?? now) < ($1.openedAt ?? now) }),
            let openedAt = oldest.openedAt,
            rows.isSourceKnown || now.milliseconds(since: openedAt) >= openedTime
        else { return nil }
        return oldest
    }
}

extension ApprovalRows {
    /// Returns the methods that at least one device can prove: the two instances of every activation, and the methods
    /// that the user has enrolled. `nil` when no device can answer.
    ///
    /// A method that a device has announced in its activation is not one that it can prove.
    fileprivate func availableMethods(acceptsSoftware: Bool) -> Set<AuthenticationMethod>? {
        guard !devices.isEmpty else { return nil }
        return Set(
            devices.flatMap { device in
                device.instances.filter { !$0.method.isEnrollable || device.enrolled($0.method) != nil }
                    .map { device.verifiedMethod(of: $0, acceptsSoftware: acceptsSoftware) }
            })
    }
}

extension PolicyDecision {
    /// Returns the decision record for a request that the rule alone asked for.
    ///
    /// - Parameter asked: The decision without the methods of the devices.
    fileprivate func asking(_ asked: PolicyDecision) -> PolicyDecision {
        guard case .refuse(.noMethod) = outcome, case .challenge(let challenge) = asked.outcome else { return self }
        return PolicyDecision(
            policy: asked.policy, rule: asked.rule, outcome: asked.outcome, number: asked.number,
            unavailableMethod: challenge.method)
    }
}

extension ApprovalParameters {
    /// The id of the principal; empty for code that embeds the platform and names none.
    var principalID: String { principal?.id ?? "" }

    /// The amount that the user sees, or that the application server names in addition.
    var amount: MonetaryAmount? { display.amount ?? risk.amount }

    /// The account of the creditor that the user sees, or its name, or what the application server names in addition.
    var creditor: String? { display.creditor ?? risk.creditor }
}

extension DisplayData {
    /// The amount with its currency.
    package var amount: MonetaryAmount? {
        var (amount, currency): (Amount?, Currency?)
        for field in fields {
            if case .amount(let value) = field { amount = value }
            if case .currency(let value) = field { currency = value }
        }
        guard let amount, let currency else { return nil }
        return MonetaryAmount(amount, currency)
    }

    /// The account of the creditor, or its name.
    package var creditor: String? {
        var name: String?
        for field in fields {
            if case .creditorAccount(let account) = field { return account.text }
            if case .creditor(let value) = field { name = value }
        }
        return name
    }
}

extension DisplayData {
    /// Whether a field is free text, or of a type that this version does not know.
    package var showsFreeText: Bool {
        fields.contains { field in
            switch field {
            case .amount, .currency, .creditor, .creditorAccount, .remittance, .time, .requester, .place: false
            default: true
            }
        }
    }

    /// Whether the name of the creditor spells an account number: an IBAN, or 8 or more digits in a row. Spaces and
    /// punctuation are ignored.
    package var namesAccountNumber: Bool {
        for field in fields {
            guard case .creditor(let name) = field else { continue }
            var run = 0
            var longest = 0
            var kept = ""
            for scalar in name.unicodeScalars {
                let type = scalar.properties.numericType
                let isDigit = type == .decimal || type == .digit
                guard isDigit || scalar.properties.isAlphabetic else { continue }
                run = isDigit ? run + 1 : 0
                longest = max(longest, run)
                kept.unicodeScalars.append(scalar)
            }
            return longest >= 8 || (try? IBAN(kept.uppercased())) != nil
        }
        return false
    }
}

extension ApprovalKind {
    /// The kind of situation for the policy.
    fileprivate var situation: Situation.Request {
        switch self {
        case .login: .login
        case .transaction: .transaction
        case .event: .event
        // No application server asks for one.
        case .seal: .transaction
        }
    }
}

extension ApprovalRecord {
    /// Returns the content that the platform has signed.
    func content() throws -> ApprovalRequestContent {
        try ApprovalRequestContent(decoding: Sign1(decoding: request).payload)
    }

    /// The amount of a transaction.
    var monetaryAmount: MonetaryAmount? {
        guard let amount, let units = UInt64(amount), let currency, let currency = try? Currency(currency) else {
            return nil
        }
        return MonetaryAmount(minorUnits: units, currency: currency)
    }
}
