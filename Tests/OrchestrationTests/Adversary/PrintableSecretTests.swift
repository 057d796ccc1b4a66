import Crypto
import Foundation
import OneTimePassword
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Secrets have no printable form.
@Suite struct PrintableSecretTests {
    private static let secret = "canary-7391548260"

    @Test func `no public type prints the secret that it holds`() async throws {
        var canaries = Canaries()
        canaries.add("secret", text: Self.secret)
        let key = Array(Self.secret.utf8) + [UInt8](repeating: 9, count: 32 - Self.secret.utf8.count)
        canaries.add("key", bytes: key)
        let account = try AccountName(userID: "alice", domain: "master")
        let code = try TOTP(key: OneTimePasswordKey(SecretBytes(copying: key)), digits: 8).code(step: 1)
        canaries.add("one-time password", text: code.digits)
        canaries.add("data field", text: "canary-field")
        let local = OneTimePasswordResult(
            oneTimePassword: code.digits, hostCode: Self.secret, expiresIn: .seconds(3), method: .password)
        let field = DataField(label: Self.secret, value: Self.secret)
        let signed = LocalSignature(
            signature: code.digits, fields: [field], hostCode: Self.secret, counter: 0, validity: .standard,
            method: .password)
        let sealed = OfflineSeal(
            seal: code.digits, name: Self.secret, text: "canary-field", digest: "", hostCode: Self.secret, counter: 0,
            validity: .standard, method: .password)
        let methods = SoftwareMethodKeys(RecognizedUser(.face), folder: MemoryFolder())
        let prompt = Prompt(purpose: .enroll, method: .face, account: account.text)
        let enrollment = try await methods.beginEnrollment(for: #require(StoreName("alice")), prompt)
        guard case .finished(let methodKey) = try await enrollment.next() else { return }
        try await methods.store(SymmetricKey(data: key), handle: methodKey.handle)
        let opened = try await methods.open(handle: methodKey.handle, prompt)
        let values: [Any] = [
            methods, methodKey, opened,
            field, signed, FlowEvent.signatureReady(signed), FlowEvent.succeeded(.signatureMade(signed)),
            Outcome.signatureMade(signed),
            sealed, FlowEvent.sealReady(sealed), FlowEvent.succeeded(.sealMade(sealed)), Outcome.sealMade(sealed),
            SealData.text("canary-field"), SealData.bytes(key, named: Self.secret),
            try LocalSeal(account: account, data: .text("canary-field"), seal: code.digits),
            try LocalTransaction(
                account: account, fields: [DataField(label: "canary-field", value: "canary-field")],
                signature: code.digits),
            LoginRequest(account: account, credential: .challengeResponse(code.digits, requestID: "r1")),
            UserInput(SecretBytes(copying: Self.secret.utf8)),
            NotificationIdentifier.push(Self.secret),
            local, FlowEvent.oneTimePasswordReady(local), FlowEvent.succeeded(.oneTimePasswordMade(local)),
            Outcome.oneTimePasswordMade(local), code,
            Registration(account: account, staticPassword: Self.secret),
            LoginRequest(account: account, credential: .staticPassword(Self.secret)),
            LoginRequest(account: account, credential: .oneTimePassword(code.digits)),
            LoginRequest.Credential.oneTimePassword(Self.secret), LoginRequest.Credential.staticPassword(Self.secret),
            try MasterKey(id: "k1", bytes: SecretBytes(copying: key)),
            try await TestPlatform(seed: 1),
            DeterministicDeviceKeys(seed: 1), ScriptedUser(password: Self.secret),
            OrchestrationError(.unexpected, underlying: Careless(text: "x")),
        ]
        for value in values + [values, values.map { Optional($0) as Any }] {
            #expect(canaries.found(in: Printed.text(value)) == [], "\(type(of: value))")
        }
        for error in [OrchestrationError(.unexpected, underlying: Careless(text: Self.secret))] {
            #expect(canaries.found(in: "\(error) \(error.debugDescription) \(error.localizedDescription)") == [])
        }
    }

    /// The files of public types that hold a secret. Noncopyable types have no printed form, because the compiler
    /// refuses to reflect them. The others are checked above or by the tests of their module.
    private static let known: [String: String] = [
        "OneTimePassword/Credentials/OneTimePasswordCredential.swift": "not copyable",
        "OneTimePassword/HOTP/HOTP.swift": "not copyable",
        "OneTimePassword/OCRA/OCRA+PIN.swift": "not copyable",
        "OneTimePassword/OCRA/OCRA.swift": "not copyable",
        "OneTimePassword/Credentials/OneTimePasswordKey.swift": "not copyable",
        "Orchestration/Activation/DeviceMove.swift": "printed by MoveFlowTests",
        "Orchestration/Apple/SecureEnclaveDeviceKeys.swift": "keys that never leave the Secure Enclave",
        "Orchestration/Methods/MethodKeyProvider.swift": "printed above",
        "Orchestration/Providers/Keypad/Keypad.swift": "not copyable",
        "Orchestration/Providers/UserInput.swift": "printed above",
        "OrchestrationTesting/Device/DeterministicDeviceKeys.swift": "test keys; printed above",
        "OrchestrationTesting/Platform/TestPlatform.swift": "printed above",
        "TrustedIdentity/Devices/Unlock/Platform+Unlock.swift": "printed by CanaryTests",
        "TrustedIdentity/Keys/DataKeys/MasterKey.swift": "printed above",
        "TrustedIdentity/Accounts/APIKeys/APIKey.swift": "printed by CanaryTests",
        "TrustedIdentity/Login/LocalTransactions/LocalSeal.swift": "printed above",
        "TrustedIdentity/Login/LocalTransactions/LocalTransaction.swift": "printed above",
        "TrustedIdentity/Login/LoginRequest.swift": "printed above",
        "TrustedIdentityServer/Push/APNs/APNsKey.swift": "not copyable",
        "TrustedIdentityServer/Push/FCM/FCMServiceAccount.swift": "not copyable",
        "TrustedIdentityServer/Push/WebPush/WebPushKey.swift": "not copyable",
        "TrustedIdentityServer/Webhooks/WebhookSecret.swift": "not copyable",
        "TrustedIdentity/Accounts/Registration/Registration.swift":
            "the registration above, the receipt by CanaryTests",
    ]

    @Test func `every public type that holds a secret is checked`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        let publicType = #/^\s*public (final )?(struct|class|actor|enum) /#.anchorsMatchLineEndings()
        let secretMember =
            #/^\s+(private |fileprivate |internal |package |public )?(let|var) \w+: [^=({\/]*\b(SecretBytes|SymmetricKey|SecretBox|OneShotSecret|PrivateKey|MasterKey|Password|OneTimePasswordKey|PreparedKey)\b/#
            .anchorsMatchLineEndings().wordBoundaryKind(.simple)
        var holders: Set<String> = []
        for file in files {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            guard text.contains(publicType), text.contains(secretMember) else { continue }
            holders.insert(file)
        }
        #expect(holders.subtracting(Self.known.keys) == [], "new ones: say here how they are looked at")
        #expect(Set(Self.known.keys).subtracting(holders) == [], "no longer there")
    }
}

private struct Careless: Error { let text: String }
