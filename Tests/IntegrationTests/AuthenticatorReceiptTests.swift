import Foundation
import TestSupport
import Testing

/// `authenticator receipt verify`, on the receipts that the independent verifier checks, too: `Tests/Vectors/check`.
@Suite struct AuthenticatorReceiptTests {
    private static let program = BuiltProgram(name: "authenticator")
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Vectors/receipts").standardized
    private static let keys = folder.appending(path: "platform-keys.json").path

    private func verify(
        _ receipt: String, keys: String = Self.keys, _ more: String...
    ) async throws -> BuiltProgram.Result {
        try await Self.program.run(["receipt", "verify", receipt, "--platform-keys", keys] + more)
    }

    private static func receipt(_ name: String) -> String { folder.appending(path: name + ".receipt").path }

    @Test func `the good receipt is accepted, and each of the thirteen others is refused at its step`() async throws {
        let rows = try JSONSerialization.jsonObject(
            with: Data(contentsOf: Self.folder.appending(path: "receipts.json")))
        let vectors = try #require(rows as? [[String: Any]])
        #expect(vectors.count == 14)
        for row in vectors {
            let name = try #require(row["name"] as? String)
            let result = try await verify(Self.receipt(name))
            if let step = row["step"] as? Int {
                #expect(result.status == 1 && result.output.isEmpty, "\(name)")
                let message = "authenticator: the receipt is not valid (step \(step)): "
                #expect(result.errors.hasPrefix(message), "\(name): \(result.errors)")
            } else {
                #expect(result.status == 0 && result.errors.isEmpty, "\(name): \(result.errors)")
            }
        }
    }

    @Test func `what a receipt states is printed as a table and as JSON`() async throws {
        let text = try await verify(Self.receipt("good"))
        #expect(text.status == 0)
        for line in [
            /outcome +approved/, /decision +approved/, /from +Example Shop/, /user +alice@master/,
            /"Reference" +"Invoice 17"/, /Amount +1234.50 EUR/, /Payee +\u{2068}Zoë’s Café\u{2069}/, /number +042917/,
            /verified +password/, /not verified +that the key statements are those of the platform: give --fingerprint/,
        ] {
            #expect(try text.output.split(separator: "\n").contains { try line.wholeMatch(in: $0) != nil })
        }
        let json = try await verify(Self.receipt("good"), "--json")
        #expect(json.object["user"] as? String == "alice@master")
        #expect((json.object["principal"] as? [String: Any])?["name"] as? String == "Example Shop")
        #expect(json.object["kind"] as? String == "transaction")
        #expect(json.object["outcome"] as? String == "approved")
        #expect(json.object["number"] as? String == "042917")
        #expect(json.object["verifiedMethod"] as? String == "password")
        #expect(json.object["sessionID"] as? String == "session 7")
        #expect((json.object["uncheckedAlgorithms"] as? [String])?.isEmpty == true)
        #expect((json.object["notVerified"] as? [String])?.count == 1)
    }

    @Test(arguments: [String(repeating: "0", count: 64), "00", "no", ""])
    func `a fingerprint of no statement is an error about the statements`(fingerprint: String) async throws {
        let result = try await verify(Self.receipt("good"), "--fingerprint", fingerprint)
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("authenticator: the key statements cannot be used\nhint: "), "\(result.errors)")
    }

    @Test func `files that are missing, too long or of another form are errors`() async throws {
        let folder = try TemporaryFolder()
        let good = Self.receipt("good")
        let long = try folder.write("long", String(repeating: "A", count: 2_000_000))
        let binary = folder.file("binary")
        try folder.write([0xFF, 0xFE, 0x00], to: "binary")
        let empty = try folder.write("empty", "")
        let object = try folder.write("object", "{}")
        for (receipt, keys, status) in [
            (folder.file("none"), Self.keys, Int32(1)), (good, folder.file("none"), 1), (long, Self.keys, 2),
            (good, long, 1), (binary, Self.keys, 1), (good, binary, 1), (empty, Self.keys, 1), (good, empty, 1),
            (good, object, 1), (Self.keys, Self.keys, 1), (folder.path, Self.keys, 1),
        ] {
            let result = try await verify(receipt, keys: keys)
            #expect(result.status == status && result.output.isEmpty, "\(receipt) \(keys) \(result.errors)")
            #expect(result.errors.hasPrefix("authenticator: "), "\(result.errors)")
        }
        let usage = try await Self.program.run(["receipt", "verify", good])
        #expect(usage.status == 2 && usage.errors.contains("--platform-keys"))
    }
}
