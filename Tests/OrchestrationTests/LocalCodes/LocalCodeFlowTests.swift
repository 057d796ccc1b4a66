import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// The rules for every code that is made on the device: one-time passwords of a counter, and signatures.
@Suite struct LocalCodeFlowTests {
    @Test(arguments: LocalCodeKind.allCases)
    func `the event and the outcome carry the same code`(kind: LocalCodeKind) async throws {
        let stage = try await Stage()
        try await stage.activate()
        var (shown, final) = (String?.none, String?.none)
        for try await event in try kind.flow(on: stage.orchestrator()) {
            switch event {
            case .oneTimePasswordReady, .signatureReady: shown = kind.code(in: event)
            case .succeeded: final = kind.code(in: event)
            default: break
            }
        }
        #expect(shown?.count == 8 && final == shown)
    }

    @Test(arguments: LocalCodeKind.allCases)
    func `a counter moves before its code is shown, and no code is made twice`(
        kind: LocalCodeKind
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        var codes: Set<String> = []
        for _ in 0..<5 {
            for try await event in try kind.flow(on: stage.orchestrator(), synchronizingWithin: nil) {
                if let code = kind.code(in: event) { codes.insert(code) }
                // The code of a counter does not expire.
                if case .oneTimePasswordReady(let result) = event { #expect(result.expiresIn == nil) }
                break  // as a crash right after the code was shown
            }
        }
        #expect(codes.count == 5)
        let next = try #require(try await kind.make(on: stage.orchestrator(), synchronizingWithin: nil))
        #expect(!codes.contains(next))
        let decision = try await kind.decision(on: next, by: stage.platform)
        #expect(decision.status == .accepted)
        // Each application has a counter of its own.
        let record = try #require(try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
        #expect(record.counters == [kind.application.rawValue: 6])
    }

    @Test(arguments: LocalCodeKind.allCases)
    func `processes on one store never make a code twice`(kind: LocalCodeKind) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let codes = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<16 {
                let process = try stage.orchestrator()
                group.addTask { try await kind.make(on: process) }
            }
            return try await group.reduce(into: [String]()) { codes, code in codes += code.map { [$0] } ?? [] }
        }
        #expect(Set(codes).count == 16)
    }

    @Test(arguments: LocalCodeKind.allCases, [AuthenticationMethod.biometric, .face])
    func `a method that no key is bound to falls back to the password and says so`(
        kind: LocalCodeKind, method: AuthenticationMethod
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser(password: Stage.password)
        let words = try await story(kind.flow(on: stage.orchestrator(user: user), protection: method))
        #expect(words == ["warning: fellBackToPassword", kind.word, "synchronization 1/1", "succeeded"])
        #expect(user.prompts.map(\.method) == [.password])
    }

    @Test(arguments: LocalCodeKind.allCases)
    func `neither an event nor an outcome prints a code or a field`(kind: LocalCodeKind) async throws {
        let stage = try await Stage()
        try await stage.activate()
        var printed: [(code: String, text: String)] = []
        for try await event in try kind.flow(on: stage.orchestrator()) {
            guard let code = kind.code(in: event) else { continue }
            for value in [event] as [Any] + kind.content(of: event) {
                var text = "\(value)" + String(reflecting: value)
                dump(value, to: &text)
                printed.append((code, text))
            }
        }
        #expect(printed.count == 5)
        #expect(printed.allSatisfy { !$0.text.contains($0.code) && !$0.text.contains("10 EUR") })
    }
}

/// A kind of code that is made on the device: its flow, its events and its check by the platform.
enum LocalCodeKind: CaseIterable {
    case oneTimePassword, signature

    private static let fields = [DataField(label: "Amount", value: "10 EUR"), DataField(label: "To", value: "Zoë")]

    /// The crypto application, which counts.
    var application: CryptoApplicationIndex { self == .oneTimePassword ? .app2 : .app4 }

    /// The event of the code in a word.
    var word: String { self == .oneTimePassword ? "code" : "signature" }

    func flow(
        on app: Orchestrator, protection: AuthenticationMethod = .password,
        synchronizingWithin limit: Duration? = .seconds(5)
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        switch self {
        case .oneTimePassword:
            app.oneTimePassword(
                for: "alice", application: application, protection: protection, synchronizingWithin: limit)
        case .signature:
            app.sign(Self.fields, for: "alice", protection: protection, synchronizingWithin: limit)
        }
    }

    /// Returns the code of a flow that succeeds.
    func make(
        on app: Orchestrator, synchronizingWithin limit: Duration? = .seconds(5)
    ) async throws -> String? {
        code(in: .succeeded(try await flow(on: app, synchronizingWithin: limit).result()))
    }

    /// Returns the code in an event that has one.
    func code(in event: FlowEvent) -> String? {
        switch event {
        case .oneTimePasswordReady(let made), .succeeded(.oneTimePasswordMade(let made)): made.oneTimePassword
        case .signatureReady(let made), .succeeded(.signatureMade(let made)): made.signature
        default: nil
        }
    }

    /// Returns the values in an event with a code.
    func content(of event: FlowEvent) -> [Any] {
        switch event {
        case .oneTimePasswordReady(let made): [made]
        case .signatureReady(let made): [made]
        case .succeeded(let outcome): [outcome] + values(of: outcome)
        default: []
        }
    }

    private func values(of outcome: Outcome) -> [Any] {
        switch outcome {
        case .oneTimePasswordMade(let made): [made]
        case .signatureMade(let made): [made]
        default: []
        }
    }

    func decision(on code: String, by platform: TestPlatform) async throws -> LoginDecision {
        switch self {
        case .oneTimePassword: try await platform.login("alice", code: code, application: application)
        case .signature: try await platform.validate("alice", fields: Self.fields, signature: code)
        }
    }
}
