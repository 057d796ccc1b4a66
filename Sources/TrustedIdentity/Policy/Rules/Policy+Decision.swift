internal import Primitives

extension Policy {
    /// The name of the rule in the decisions of the strict mode.
    package static let strictRule = "strict"
    /// The name of the rule in the decisions of the step-up.
    package static let stepUpRule = "step-up"

    /// Decides a request.
    ///
    /// The first rule of its kind whose conditions hold decides. If an earlier rule depends on unknown device data
    /// (``Situation/deviceData``), the request is refused unless that rule accepts it as well. After that:
    ///
    /// - A refusal by the rule is final, including in the strict mode.
    /// - In the strict mode, an approval asks for the method and the number of ``strict``, whatever the rule specifies.
    ///   A source that has not logged in before, and a site that shows no number, are refused.
    /// - In the step-up, an approval asks for the same, but nothing is refused because of it.
    /// - A code or a signature that the user types is accepted by ``codes``. A signature is refused when its method is
    ///   possession and the rule asks for more. The strict mode and the step-up do not change either: a stranger can start an
    ///   approval request, but cannot make a code.
    /// - A static password is refused in the strict mode when the source has not logged in before.
    ///
    /// - Parameter situation: The request and the known facts about it.
    /// - Returns: The decision, with the rule that made it.
    public func decide(_ situation: Situation) -> PolicyDecision {
        let (rule, others) = rules(for: situation.request).rule(for: situation, window: strict.window)
        for other in others {
            let decision = decide(situation, rule: other)
            if case .refuse = decision.outcome { return decision }
        }
        return decide(situation, rule: rule)
    }

    private func decide(_ situation: Situation, rule: PolicyRule) -> PolicyDecision {
        if case .refuse = rule.action { return refusal(.rule, by: rule.name) }
        switch situation.request {
        case .login, .transaction, .event:
            return approval(situation, rule: rule)
        case .typedCode(let application, let method):
            guard codes.applications.contains(application) else {
                return refusal(.applicationNotAllowed, by: rule.name)
            }
            return codes.methods.contains(method)
                ? acceptance(by: rule.name) : refusal(.methodNotAllowed, by: rule.name)
        case .localSignature(let method):
            guard codes.applications.contains(.app4) else { return refusal(.applicationNotAllowed, by: rule.name) }
            let isEnough = codes.methods.contains(method) && rule.action.isSatisfied(by: method)
            return isEnough ? acceptance(by: rule.name) : refusal(.methodNotAllowed, by: rule.name)
        case .staticPassword:
            guard codes.staticPasswords else { return refusal(.staticPasswordNotAllowed, by: rule.name) }
            let isStrict = situation.risk.isStrict(at: situation.time)
            guard !isStrict || situation.isSourceKnown else { return refusal(.unknownSource, by: Self.strictRule) }
            return acceptance(by: rule.name)
        }
    }

    /// Returns the methods whose codes of a crypto application the policy accepts at a login.
    ///
    /// - Parameter situation: The situation of the login. Its request is replaced by each method in turn.
    func acceptedMethods(
        ofCodesOf application: CryptoApplicationIndex, in situation: Situation
    ) -> Set<AuthenticationMethod> {
        var situation = situation
        return Set(AuthenticationMethod.allCases).filter { method in
            situation.request = .typedCode(application: application, method: method)
            return decide(situation).outcome == .accept
        }
    }

    /// Returns the methods whose signatures of a local transaction the policy accepts.
    ///
    /// - Parameter situation: The situation of the transaction. Its request is replaced by each method in turn.
    func acceptedMethods(ofSignaturesIn situation: Situation) -> Set<AuthenticationMethod> {
        var situation = situation
        return Set(AuthenticationMethod.allCases).filter { method in
            situation.request = .localSignature(method: method)
            return decide(situation).outcome == .accept
        }
    }

    func rules(for request: Situation.Request) -> PolicyRules {
        switch request {
        case .login, .typedCode, .staticPassword: logins
        case .transaction, .localSignature: transactions
        case .event: events ?? logins
        }
    }

    func approval(_ situation: Situation, rule: PolicyRule) -> PolicyDecision {
        let isStrict = situation.risk.isStrict(at: situation.time)
        let isRaised = isStrict || situation.risk.isStepUp(at: situation.time)
        let requirement: PolicyRequirement
        switch rule.action {
        case .refuse:
            return refusal(.rule, by: rule.name)
        case .accept:
            guard isRaised else { return acceptance(by: rule.name) }
            requirement = strict.requirement(over: nil, refusesWithoutNumber: isStrict)
        case .challenge(let ofRule):
            requirement =
                isRaised
                ? strict.requirement(over: ofRule, refusesWithoutNumber: isStrict || ofRule.refusesWithoutNumber)
                : ofRule
        }
        let name = isStrict ? Self.strictRule : isRaised ? Self.stepUpRule : rule.name
        guard !isStrict || situation.isSourceKnown else { return refusal(.unknownSource, by: name) }
        guard situation.showsNumbers || !requirement.refusesWithoutNumber else { return refusal(.noNumber, by: name) }
        guard let method = requirement.method(among: situation.availableMethods) else {
            return refusal(.noMethod, by: name)
        }
        let digits = situation.showsNumbers ? requirement.digits : 0
        let challenge = PolicyDecision.Challenge(
            method: method, digits: digits, rejection: requirement.rejectsWithPossession ? .possession : method,
            fallbacks: requirement.fallbacks.filter { $0 != method },
            pushes: pushes.permission(for: situation.risk, at: situation.time))
        return PolicyDecision(
            policy: self.name, rule: name, outcome: .challenge(challenge),
            number: requirement.digits == 0 ? .notRequired : digits == 0 ? .notShown : .required,
            unavailableMethod: method == requirement.method ? nil : requirement.method)
    }

    private func acceptance(by rule: String) -> PolicyDecision {
        PolicyDecision(policy: name, rule: rule, outcome: .accept)
    }

    private func refusal(_ reason: PolicyDecision.Refusal, by rule: String) -> PolicyDecision {
        PolicyDecision(policy: name, rule: rule, outcome: .refuse(reason))
    }
}

extension StrictMode {
    /// Returns the requirement of an approval in the strict mode or in the step-up: no less than the rule specifies.
    fileprivate func requirement(over rule: PolicyRequirement?, refusesWithoutNumber: Bool) -> PolicyRequirement {
        // A rule that asks for more than possession keeps its method.
        let stronger = rule.flatMap { $0.method == .possession ? nil : $0 }
        return PolicyRequirement(
            checked: stronger?.method ?? method, digits: max(digits, rule?.digits ?? 0),
            refusesWithoutNumber: refusesWithoutNumber, rejectsWithPossession: rule?.rejectsWithPossession ?? true,
            fallbacks: stronger?.fallbacks.filter { $0 != .possession })
    }
}

extension PolicyRequirement {
    /// Returns the method that a challenge asks for: the requirement's method, or the first accepted one that a device
    /// has.
    fileprivate func method(among available: Set<AuthenticationMethod>?) -> AuthenticationMethod? {
        guard let available, !available.contains(method) else { return method }
        return fallbacks.first(where: available.contains)
    }
}

extension PolicyAction {
    /// Returns whether a method is at least as strong as the one that the action asks for. Each method except
    /// possession needs the user.
    fileprivate func isSatisfied(by answer: AuthenticationMethod) -> Bool {
        switch self {
        case .accept: true
        case .refuse: false
        case .challenge(let requirement): answer != .possession || requirement.method == .possession
        }
    }
}
