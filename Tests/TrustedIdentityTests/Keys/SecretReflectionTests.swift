import Primitives
import Testing

@testable import TrustedIdentity

/// Searches the printed forms of every public type with a secret for that secret.
struct SecretReflectionTests {
    static let canary = "CANARY-7Q4-canary"

    func printed(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    @Test func `no public type prints the secret it holds`() throws {
        let account = try AccountName(text: "alice@master", defaultDomain: "")
        let bytes = Array(Self.canary.utf8) + [UInt8](repeating: 0x41, count: 32 - Self.canary.utf8.count)
        let values: [Any] = [
            SecretBox(Self.canary),
            Registration(account: account, staticPassword: Self.canary),
            RegistrationReceipt(
                registrationID: "r", serialNumber: "s", expiresAt: Fixture.now, activationLink: nil,
                activationPassword: SecretBox<SecretBytes>(Self.canary)),
            LoginRequest(account: account, credential: .staticPassword(Self.canary)),
            LoginRequest(account: account, credential: .oneTimePassword(Self.canary)),
            NewAPIKey(id: "k", scope: .administrator, secret: SecretBox<SecretBytes>(Self.canary)),
            try MasterKey(id: "m1", bytes: SecretBytes(copying: bytes)),
        ]
        let hex = Hex.encode(bytes)
        let decimal = bytes.prefix(6).map(String.init).joined(separator: ", ")
        for value in values {
            let text = printed(value)
            #expect(!text.contains("CANARY"), "\(type(of: value))")
            #expect(!text.contains(hex) && !text.contains(decimal), "\(type(of: value))")
        }
    }

    @Test func `an error shows the type of its underlying error and nothing of its content`() {
        struct Leaky: Error { let text = SecretReflectionTests.canary }
        let error = PlatformError(.storeFailed, underlying: Leaky())
        #expect(!error.description.contains("CANARY") && !error.debugDescription.contains("CANARY"))
        #expect(error.description.contains("Leaky"))
    }

    @Test func `every error code is listed once, and its sentence is of one style`() {
        let codes = PlatformError.Code.all
        #expect(Set(codes.map(\.description)).count == codes.count)
        for code in codes {
            #expect(code.message.first?.isLowercase == true && code.message.last?.isPunctuation == false, "\(code)")
        }
    }
}
