import Crypto
import Foundation
import TestSupport
import Testing

/// The gateways to push services of `trusted-identity serve`: what is wrong with their files ends the start.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt, "trusted-identity is not built"))
struct ServedGatewayTests {
    /// A gateway of the program.
    struct Gateway: Sendable, CustomTestStringConvertible {
        /// The setting that names the file.
        let setting: String
        /// What precedes the path in the value of the setting.
        var prefix = ""
        /// The flags of the other settings that the gateway needs.
        let others: [String]
        /// What the message says about a file with another content.
        let problem: String

        var flag: String { "--" + setting.map { $0 == "." ? "-" : String($0) }.joined() }
        var testDescription: String { setting }
    }

    static let gateways = [
        Gateway(
            setting: "apns.key",
            others: [
                "--apns-key-id", "ABC123DEFG", "--apns-team-id", "DEF123GHIJ", "--apns-topic", "com.example.app",
            ],
            problem: "holds no key of P-256 in PEM and PKCS #8"),
        Gateway(
            setting: "web-push.key",
            others: ["--web-push-subject", "mailto:push@bank.example", "--web-push-hosts", "push.example"],
            problem: "holds no key of P-256 in PEM and PKCS #8"),
        Gateway(setting: "fcm.service-account", others: [], problem: "holds no key of a service account"),
        Gateway(setting: "fcm.apps", prefix: "shop=", others: [], problem: "holds no key of a service account"),
    ]

    @Test(arguments: gateways)
    func `a file that is missing, open to others or of another form is an error before the data are opened`(
        gateway: Gateway
    ) async throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        let wrong = try folder.write("wrong", P384.Signing.PrivateKey().pemRepresentation)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: wrong)
        let open = try folder.write("open", P256.Signing.PrivateKey().pemRepresentation)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        for (path, message) in [
            (folder.file("none"), "of \(gateway.setting) is missing"), (open, "is open to other users"),
            (wrong, "of \(gateway.setting) \(gateway.problem)"),
        ] {
            let result = try await ServedPlatform.platform.run(
                ["serve", "--data", data, gateway.flag, gateway.prefix + path] + gateway.others)
            #expect(result.status == 6 && result.errors.contains(message), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }
}
