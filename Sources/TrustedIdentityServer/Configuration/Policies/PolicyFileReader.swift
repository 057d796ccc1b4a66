internal import Primitives
internal import TrustedIdentity

/// The reader of a policy from the nodes of a document. It continues after a problem to find all of them in one run.
struct PolicyFileReader {
    private(set) var problems: [PolicyFileError.Problem] = []
    /// Parts of the file that are allowed and have no effect.
    private(set) var warnings: [PolicyFileError.Problem] = []

    /// Adds a warning.
    mutating func warn(_ place: YAMLNode.Place, _ message: String) { warnings.append(.init(place, message)) }

    /// Adds a problem and returns nothing, for the end of an expression.
    mutating func refuse<Value>(_ place: YAMLNode.Place, _ message: String) -> Value? {
        problems.append(.init(place, message))
        return nil
    }

    /// Reads the whole policy.
    ///
    /// - Returns: `nil` when there is a problem.
    mutating func policy(_ root: YAMLNode) -> Policy? {
        let keys = [
            "policy", "logins", "transactions", "events", "codes", "pushes", "strict", "software-providers",
        ]
        guard let file = mapping(root, keys) else { return nil }
        var name = Policy.default.name
        if let node = file["policy"] {
            name = self.name(node) ?? name
        } else {
            let _: Never? = refuse(root.place, "the key 'policy' is missing: give the policy a name")
        }
        let logins = file["logins"].map { rules($0) } ?? Policy.default.logins
        let transactions = file["transactions"].map { rules($0) } ?? Policy.default.transactions
        let events = file["events"].map { rules($0) }
        let codes = file["codes"].map { self.codes($0) } ?? TypedCodes()
        let pushes = file["pushes"].map { self.pushes($0) } ?? .default
        let strict = file["strict"].map { self.strict($0) } ?? .default
        let software = file["software-providers"].map { truth($0) } ?? false
        guard problems.isEmpty, let logins, let transactions, let codes, let pushes, let strict, let software else {
            return nil
        }
        return Policy(
            name: name, logins: logins, transactions: transactions, events: events ?? nil, codes: codes,
            pushes: pushes, strict: strict, softwareProviders: software)
    }

    // MARK: Rules

    private mutating func rules(_ node: YAMLNode) -> PolicyRules? {
        guard case .sequence(let nodes, let place) = node else {
            return refuse(node.place, "rules are a list: begin each with '- rule: NAME'")
        }
        guard (1...PolicyRules.maximumCount).contains(nodes.count) else {
            return refuse(place, "there are \(nodes.count) rules: use 1 to \(PolicyRules.maximumCount)")
        }
        let before = problems.count
        let rules = nodes.compactMap { rule($0) }
        // The places of the rules and of their nodes match only if each node is a rule.
        guard problems.count == before, rules.count == nodes.count else { return nil }
        for problem in PolicyRules.problems(in: rules) { refuse(problem, rules: rules, nodes: nodes) }
        return PolicyRules(rules)
    }

    private mutating func refuse(_ problem: PolicyRules.Problem, rules: [PolicyRule], nodes: [YAMLNode]) {
        func line(_ index: Int) -> String { "'\(rules[index].name)' at line \(nodes[index].place.line)" }
        let (index, message) =
            switch problem {
            case .count:
                (0, "there is no rule: write one")
            case .missingFinalRule:
                (
                    rules.count - 1,
                    "the last rule has conditions: add a final rule without 'when' for all other situations"
                )
            case .duplicateName(let rule, let earlier):
                (rule, "the name is that of the rule \(line(earlier)): give each rule its own")
            case .overlap(let rule, let earlier):
                (
                    rule,
                    "the rule overlaps with the rule \(line(earlier)), which always fires before it: move it up, or "
                        + "change its conditions"
                )
            case .acceptanceWithoutData(let rule, let reader) where rule == reader:
                (rule, "the rule accepts without a device, so that it cannot read device data: write a method")
            case .acceptanceWithoutData(let rule, let reader):
                (
                    rule,
                    "the rule accepts without a device, so that the device data of the rule \(line(reader)) are never "
                        + "read: move it up, or write a method"
                )
            }
        let _: Never? = refuse(nodes[index].place, message)
    }

    private mutating func rule(_ node: YAMLNode) -> PolicyRule? {
        guard let fields = mapping(node, ["rule", "when", "then"]) else { return nil }
        let name = fields["rule"].map { self.name($0) } ?? refuse(node.place, "the rule has no name: add 'rule: NAME'")
        let conditions = fields["when"].map { self.conditions($0) } ?? []
        let action =
            fields["then"].map { self.action($0) }
            ?? refuse(node.place, "the rule has no action: add 'then: accept', 'then: refuse' or a method")
        guard let name, let conditions, let action else { return nil }
        return PolicyRule(name, when: conditions, then: action)
            ?? refuse(node.place, "the rule never fires, or has more than \(PolicyRule.maximumConditions) conditions")
    }

    private mutating func action(_ node: YAMLNode) -> PolicyAction? {
        if case .scalar = node {
            return choice(node, ["accept": .accept, "refuse": .refuse], "or a mapping with a method")
        }
        let keys = ["method", "digits", "without-number", "rejection", "fallbacks"]
        guard let fields = mapping(node, keys) else { return nil }
        let before = problems.count
        let method =
            fields["method"].map { choice($0, Self.methods) }
            ?? refuse(node.place, "the method is missing: add 'method: password', for example")
        let digits = fields["digits"].map { self.digits($0) } ?? 0
        let refuses = fields["without-number"].map { choice($0, ["approve": false, "refuse": true]) } ?? false
        let possession = fields["rejection"].map { choice($0, ["same": false, "possession": true]) } ?? true
        let fallbacks = fields["fallbacks"].map { list($0) { $0.choice($1, Self.methods) } }
        guard problems.count == before, let method, let digits, let refuses, let possession else { return nil }
        if refuses, digits == 0 {
            return refuse(node.place, "'without-number: refuse' needs digits: add 'digits: 6'")
        }
        guard
            let requirement = PolicyRequirement(
                method, digits: digits, refusesWithoutNumber: refuses, rejectsWithPossession: possession,
                fallbacks: fallbacks ?? nil)
        else {
            return refuse(
                fields["fallbacks"]?.place ?? node.place,
                "fallbacks are other methods than '\(method)', each once and without possession")
        }
        return .challenge(requirement)
    }

    // MARK: Parameters

    private mutating func codes(_ node: YAMLNode) -> TypedCodes? {
        guard let fields = mapping(node, ["methods", "applications", "host-codes", "seals", "static-passwords"]) else {
            return nil
        }
        var codes = TypedCodes()
        if let node = fields["methods"], let methods = list(node, { $0.choice($1, Self.methods) }) {
            codes.methods = Set(methods)
        }
        if let node = fields["applications"], let applications = list(node, { $0.choice($1, Self.applications) }) {
            codes.applications = Set(applications)
        }
        if let node = fields["host-codes"], let value = truth(node) { codes.hostCodes = value }
        if let node = fields["seals"], let value = truth(node) { codes.seals = value }
        if let node = fields["static-passwords"], let value = truth(node) { codes.staticPasswords = value }
        return codes
    }

    private mutating func pushes(_ node: YAMLNode) -> PushLimits? {
        guard let fields = mapping(node, ["burst", "window", "daily", "back-off", "maximum-back-off"]) else {
            return nil
        }
        let (before, standard) = (problems.count, PushLimits.default)
        let burst = number(fields["burst"], in: PushLimits.counts, or: standard.burst)
        let window = duration(fields["window"], in: PushLimits.durations, or: standard.window)
        let daily = number(fields["daily"], in: PushLimits.counts, or: standard.daily)
        let backOff = duration(fields["back-off"], in: PushLimits.durations, or: standard.backOff)
        let longest = duration(fields["maximum-back-off"], in: PushLimits.durations, or: standard.maximumBackOff)
        guard problems.count == before else { return nil }
        return PushLimits(burst: burst, window: window, daily: daily, backOff: backOff, maximumBackOff: longest)
            ?? refuse(
                (fields["maximum-back-off"] ?? fields["back-off"] ?? node).place,
                "the back-off is longer than the maximum back-off: change one of them")
    }

    private mutating func strict(_ node: YAMLNode) -> StrictMode? {
        let keys = ["rejections", "window", "duration", "duration-after-not-me", "method", "digits"]
        guard let fields = mapping(node, keys) else { return nil }
        let (before, standard) = (problems.count, StrictMode.default)
        let rejections = number(fields["rejections"], in: StrictMode.counts, or: standard.rejections)
        let window = duration(fields["window"], in: PushLimits.durations, or: standard.window)
        let length = duration(fields["duration"], in: StrictMode.durations, or: standard.duration)
        let notMe = duration(fields["duration-after-not-me"], in: StrictMode.durations, or: standard.durationAfterNotMe)
        let strong = Self.methods.filter { $0.value != .possession }
        let method = fields["method"].map { choice($0, strong) } ?? standard.method
        let digits = number(fields["digits"], in: PolicyRequirement.digitCounts, or: standard.digits)
        guard problems.count == before, let method else { return nil }
        return StrictMode(
            rejections: rejections, window: window, duration: length, durationAfterNotMe: notMe, method: method,
            digits: digits)
    }
}
