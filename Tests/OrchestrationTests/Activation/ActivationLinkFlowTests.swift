import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// An activation that begins with a link.
@Suite struct ActivationLinkFlowTests {
    private static let address = "https://id.example.com"

    let stage: Stage
    let receipt: RegistrationReceipt
    let link: ActivationLink

    init() async throws {
        var configuration = PlatformConfiguration()
        configuration.publicAddress = Self.address
        stage = try await Stage(configuration: configuration)
        receipt = try await stage.platform.platform.register(Registration(account: ActivationExchange.account))
        link = try ActivationLink(#require(receipt.activationLink).text)
    }

    /// The characters that the link does not have.
    private var rest: String { String(receipt.activationPassword.dropFirst(3)) }

    private func activate(
        _ link: ActivationLink, typing typed: String, store: MemoryStore = MemoryStore(),
        keys: DeterministicDeviceKeys = DeterministicDeviceKeys(seed: 8)
    ) async throws -> [String] {
        let app = try stage.orchestrator(store: store, keys: keys)
        return try await story(app.activate(link, with: SecretBytes(copying: typed.utf8)))
    }

    @Test func `a link shows address and account, and holds no secret`() async throws {
        #expect(link.address == Self.address && link.account == ActivationExchange.account)
        #expect(link.text.hasSuffix("&handle=" + receipt.activationPassword.prefix(3)))
        #expect(!link.text.contains(receipt.activationPassword.suffix(4)))
        let plain = try await TestPlatform().platform.register(Registration(account: ActivationExchange.account))
        #expect(plain.activationLink == nil, "the platform does not know its address")
    }

    @Test(arguments: [0, 1, 2])
    func `the rest or the whole of the activation password activates`(form: Int) async throws {
        let typed = [rest, rest.lowercased().filter { $0 != "-" }, receipt.activationPassword][form]
        #expect(try await activate(link, typing: typed).last == "succeeded")
    }

    @Test func `a typing error in the rest never leaves the device`() async throws {
        let wrong = rest.dropLast() + (rest.last == "0" ? "1" : "0")
        for typed in [String(wrong), String(rest.dropLast()), rest + "0", ""] {
            #expect(try await activate(link, typing: typed) == ["aborted: activationPasswordMistyped"])
        }
        #expect(stage.wire.sent.isEmpty)
    }

    @Test func `the link of another tenant is refused before anything is sent`() async throws {
        let handle = try ActivationPassword(parsing: receipt.activationPassword).handle
        let other = try #require(
            ActivationLink(
                address: Self.address, tenant: "other", account: ActivationExchange.account, handle: handle))
        await #expect(throws: OrchestrationError(.linkOfOtherPlatform)) {
            _ = try await activate(other, typing: rest)
        }
        #expect(stage.wire.sent.isEmpty)
    }

    @Test func `a link with another account or handle activates nothing`() async throws {
        let handle = try ActivationPassword(parsing: receipt.activationPassword).handle
        let bob = try AccountName(userID: "bob", domain: "master")
        for (account, handle, end) in [
            (bob, handle, "aborted: activationPasswordNotConfirmed"),
            // The check character covers the handle.
            (ActivationExchange.account, handle ^ 1, "aborted: activationPasswordMistyped"),
        ] {
            let altered = try #require(
                ActivationLink(address: Self.address, tenant: "default", account: account, handle: handle))
            #expect(try await activate(altered, typing: rest) == [end])
        }
        #expect(try await activate(link, typing: rest).last == "succeeded")
    }

    @Test func `a link that is opened twice activates one device`() async throws {
        let (store, keys) = (MemoryStore(), DeterministicDeviceKeys(seed: 8))
        #expect(try await activate(link, typing: rest, store: store, keys: keys).last == "succeeded")
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            _ = try await activate(link, typing: rest, store: store, keys: keys)
        }
        #expect(try await activate(link, typing: rest) == ["aborted: activationPasswordNotConfirmed"])
    }

    @Test func `an expired link is refused as its activation password is`() async throws {
        stage.advance(seconds: 600)
        #expect(try await activate(link, typing: rest) == ["aborted: activationPasswordNotConfirmed"])
    }
}
