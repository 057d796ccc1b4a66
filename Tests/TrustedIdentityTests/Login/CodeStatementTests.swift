import OneTimePassword
import Primitives
import SecureChannel
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// The statements of challenges and signatures.
@Suite struct CodeStatementTests {
    private static let unknown = "nobody@master"

    /// Returns the statements of a decision and its reason.
    private func decide(
        on site: CountedPlatform, _ decision: () async throws -> LoginDecision
    ) async throws -> (statements: [String], reason: LoginDecision.Reason?) {
        var reason: LoginDecision.Reason?
        let statements = try await site.statements { reason = try await decision().reason }
        return (statements, reason)
    }

    @Test func `a challenge of an unknown user costs the same statements`() async throws {
        let site = try await CountedPlatform()
        func statements(_ user: String) async throws -> [String] {
            try await site.statements { _ = try await site.platform.generateChallenge(for: Harness.account(user)) }
        }
        _ = try await statements(Harness.alice)
        let known = try await statements(Harness.alice)
        let unknown = try await statements(Self.unknown)
        // The account, the oldest challenges, and the new one.
        #expect(known.count == 3 && unknown == known, "\(known) \(unknown)")
        try await site.store.close()
    }

    @Test func `a code over a challenge costs the same statements for an unknown and a blocked user`() async throws {
        let site = try await CountedPlatform()
        func login(_ code: String, _ user: String = Harness.alice, id: String? = nil) async throws -> (
            statements: [String], reason: LoginDecision.Reason?
        ) {
            let account = try Harness.account(user)
            let made = try await site.platform.generateChallenge(for: account)
            return try await decide(on: site) {
                try await site.platform.login(
                    .init(account: account, credential: .challengeResponse(code, requestID: id ?? made.requestID)))
            }
        }
        for _ in 0..<2 {
            let made = try await site.platform.generateChallenge(for: Harness.account())
            let question = SignedQuestion.hash(
                purpose: .challenge, tenant: "default", instance: .password, application: 3, challenge: made.digits,
                counter: nil, fields: [])
            let code = try OCRA(suite: .hashedChallenge, key: site.key(application: 3))
                .code(for: .init(.hash(question))).digits
            let accepted = try await login(code, id: made.requestID)
            // Reads of account, counts of failures, those of a shared name, platform, risk, devices, counters and the
            // challenge; then the platform, the counts, the device, the challenge, the end of the log and the log.
            #expect(accepted.reason == .accepted && accepted.statements.count == 14, "\(accepted)")
            let used = try await login(code, id: made.requestID)
            #expect(used.reason == .usedChallenge)
        }
        for user in [Harness.alice, Self.unknown] { _ = try await login("00000000", user) }
        let wrong = try await login("00000000")
        let unknown = try await login("00000000", Self.unknown)
        #expect(wrong.reason == .wrongCredential && unknown.reason == .unknownAccount)
        for _ in 0..<3 { _ = try await login("00000000") }
        let blocked = try await login("00000000")
        #expect(blocked.reason == .blocked)
        #expect(wrong.statements.count == 18, "\(wrong.statements)")
        #expect(unknown.statements == wrong.statements)
        for _ in 0..<4 { _ = try await login("00000000", Self.unknown) }
        // The sixth refusal of an hour is counted and not listed, for a name that no account has as well.
        let counted = try await login("00000000", Self.unknown)
        #expect(blocked.statements.dropLast() == wrong.statements.dropLast())
        #expect(blocked.statements == counted.statements)
        // A request id that the platform did not make, for a blocked user and for an unknown one.
        let foreign = String(repeating: "0", count: 32)
        let none = try await login("00000000", id: foreign)
        let noneUnknown = try await login("00000000", Self.unknown, id: foreign)
        #expect(none.reason == .unknownChallenge && noneUnknown.reason == .unknownChallenge)
        #expect(none.statements == noneUnknown.statements)
        try await site.store.close()
    }

    @Test func `a signature costs the same statements for an unknown and a blocked user`() async throws {
        let site = try await CountedPlatform()
        let fields = [DataField(label: "Amount", value: "10")]
        func validate(
            _ signature: String, _ user: String = Harness.alice, application: CryptoApplicationIndex = .app4
        ) async throws -> (statements: [String], reason: LoginDecision.Reason?) {
            try await decide(on: site) {
                try await site.platform.validate(
                    LocalTransaction(
                        account: Harness.account(user), fields: fields, signature: signature, application: application))
            }
        }
        for counter in 0..<2 as Range<UInt64> {
            let question = SignedQuestion.hash(
                purpose: .signature, tenant: "default", instance: .password, application: 4, challenge: nil,
                counter: counter, fields: fields)
            let signature = try OCRA(suite: .hashedSignature, key: site.key(application: 4))
                .code(for: .init(.hash(question), counter: counter)).digits
            let accepted = try await validate(signature)
            #expect(accepted.reason == .accepted && accepted.statements.count == 13, "\(accepted)")
        }
        for user in [Harness.alice, Self.unknown] { _ = try await validate("00000000", user) }
        let wrong = try await validate("00000000")
        let unknown = try await validate("00000000", Self.unknown)
        #expect(wrong.reason == .wrongCredential && unknown.reason == .unknownAccount)
        for _ in 0..<3 { _ = try await validate("00000000") }
        let blocked = try await validate("00000000")
        #expect(blocked.reason == .blocked)
        #expect(wrong.statements.count == 17, "\(wrong.statements)")
        #expect(unknown.statements == wrong.statements)
        for _ in 0..<4 { _ = try await validate("00000000", Self.unknown) }
        // The sixth refusal of an hour is counted and not listed, for a name that no account has as well.
        let counted = try await validate("00000000", Self.unknown)
        #expect(blocked.statements.dropLast() == wrong.statements.dropLast())
        #expect(blocked.statements == counted.statements)
        let unsuitable = try await validate("00000000", application: .app1)
        let unsuitableUnknown = try await validate("00000000", Self.unknown, application: .app1)
        #expect(unsuitable.reason == .applicationNotAllowed)
        #expect(unsuitable.statements == unsuitableUnknown.statements)
        try await site.store.close()
    }
}
