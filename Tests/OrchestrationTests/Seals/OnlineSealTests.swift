import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// Seals that the platform confirms with a receipt.
@Suite struct OnlineSealTests {
    private static let bytes = Array("the contract".utf8)
    private static let digest = Hex.encode(Array(SHA256.hash(data: bytes)))

    @Test func `a seal has a receipt that a third party verifies, over the name and the digest`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser(password: Stage.password)
        let sealed = try await stage.orchestrator(user: user).user("alice").sealOnline(
            .bytes(Self.bytes, named: "contract.txt"))
        #expect(sealed.decision == .approved)
        let statement = try sealed.receipt.verify(with: stage.platform.platform.publishedKeys())
        let record = try #require(try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
        #expect(statement.kind == .seal && statement.outcome == .approved && statement.verifiedMethod == .password)
        #expect(statement.principal.id == Hex.encode(record.deviceID) && statement.principal.name == record.tenant)
        let display = try DisplayData([
            .field(label: "Name", value: "contract.txt"), .field(label: "SHA-256", value: Self.digest),
        ])
        #expect(statement.display == display && statement.number == nil)
        // The user saw both before the password was typed.
        let shown = try #require(user.prompts.first?.displayData)
        #expect(user.prompts.count == 1 && shown.contains("contract.txt") && shown.contains(Self.digest))
        #expect(try await stage.orchestrator().user("alice").pendingApprovals().isEmpty)
    }

    @Test func `a text is shown and sealed with its digest`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser(password: Stage.password)
        let sealed = try await stage.orchestrator(user: user).user("alice").sealOnline(.text("the contract"))
        let display = try DisplayData([.text("the contract"), .field(label: "SHA-256", value: Self.digest)])
        #expect(sealed.statement.display == display)
    }

    @Test func `a wrong password is asked for again, and a canceled prompt seals nothing`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([.password("999999"), .password(Stage.password)])
        let sealed = try await stage.orchestrator(user: user).user("alice").sealOnline(.text("1"))
        #expect(sealed.statement.verifiedMethod == .password && user.prompts.count == 2)
        await #expect(throws: OrchestrationError(.canceled)) {
            try await stage.orchestrator(user: ScriptedUser([.abort])).user("alice").sealOnline(.text("2"))
        }
    }

    @Test func `possession, and data outside the limits, are errors before anything is sent`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let alice = try stage.orchestrator(user: user).user("alice")
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.invalidArgument)) {
            try await alice.sealOnline(.text("1"), protection: .possession)
        }
        for data in [SealData.bytes([], named: "x"), .text(String(repeating: "x", count: 1_025))] {
            await #expect(throws: OrchestrationError(.invalidSealData)) { try await alice.sealOnline(data) }
        }
        #expect(stage.wire.sent.count == sent && user.prompts.isEmpty)
    }

    @Test func `where the policy accepts no seals, the app learns it before the user is asked`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        var configuration = PlatformConfiguration()
        configuration.policy.codes.seals = false
        try await stage.platform.restart(configuration: configuration)
        let user = ScriptedUser(password: Stage.password)
        let alice = try stage.orchestrator(user: user).user("alice")
        // The device does not know it yet, and the platform refuses.
        await #expect(throws: OrchestrationError(.refused)) { try await alice.sealOnline(.text("1")) }
        #expect(user.prompts.isEmpty)
        _ = try await alice.oneTimePassword()
        let asked = user.prompts.count
        await #expect(throws: OrchestrationError(.sealsUnavailable)) { try await alice.sealOnline(.text("1")) }
        #expect(user.prompts.count == asked)
    }
}
