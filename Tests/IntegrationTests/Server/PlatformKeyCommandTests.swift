import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `trusted-identity platform-key`, and the route that publishes the statements.
@Suite(.serialized) final class PlatformKeyCommandTests {
    static let platform = BuiltProgram(name: "trusted-identity")

    // With a short name, because the path of the socket in it has a low limit.
    let folder = FileManager.default.temporaryDirectory.appending(path: "tk-\(UUID().uuidString.prefix(8))")
    var data: String { folder.appending(path: "data").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func command(_ arguments: String...) async throws -> BuiltProgram.Result {
        try await Self.platform.run(["platform-key"] + arguments + ["--data", data])
    }

    private func states() async throws -> [String] {
        let listed = try await command("list")
        #expect(listed.status == 0, "\(listed.errors)")
        return listed.output.split(separator: "\n").map { line in
            let cells = line.split(whereSeparator: { $0 == " " })
            return cells[1...3].joined(separator: " ")
        }
    }

    /// The status of a request for the statements by a caller that has those of a tag.
    private func statusCode(_ address: URL, knowing tag: String) async throws -> Int? {
        var request = URLRequest(
            url: address.appendingPathComponent("v1/platform-keys"), cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue(tag, forHTTPHeaderField: "If-None-Match")
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode
    }

    @Test(arguments: [true, false])
    func `keys are listed, replaced, announced and published while the server runs and while it does not`(
        isRunning: Bool
    ) async throws {
        let server = try Self.platform.start(["serve", "--data", data, "--listen", "127.0.0.1:0"])
        let address = try await server.address()
        if !isRunning {
            server.signal(SIGTERM)
            _ = await server.result()
        }
        #expect(
            Set(try await states()) == [
                "signing Ed25519 current", "sealing X25519 current", "sealing X-Wing current",
                "audit Ed25519 current",
            ])
        let refused = try await command("rotate", "--use", "all")
        #expect(refused.status == 3 && refused.errors.contains("Type yes"), "\(refused.errors)")
        #expect(try await states().count == 4)

        let rotated = try await command("rotate", "--use", "signing", "--yes")
        #expect(rotated.status == 0 && rotated.output.hasPrefix("key statement 2\n"), "\(rotated.errors)")
        #expect(
            try await states().filter { $0.hasPrefix("signing") }.sorted() == [
                "signing Ed25519 current", "signing Ed25519 retired",
            ])
        let announced = try await command("rotate", "--use", "sealing", "--announce-days", "7", "--yes")
        #expect(announced.status == 0, "\(announced.errors)")
        #expect(try await states().contains("sealing X-Wing announced"))
        let again = try await command("rotate", "--use", "all", "--yes")
        #expect(again.status == 3 && again.errors.contains("announced already"), "\(again.errors)")
        #expect(try await command("rotate", "--use", "other", "--yes").status == 2)
        #expect(try await command("rotate", "--use", "all", "--announce-days", "367", "--yes").status == 2)

        let exported = try await command("export")
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(exported.output.utf8)) as? [String: [[String: Any]]])
        #expect(body["statements"]?.compactMap { $0["sequence"] as? Int } == [1, 2, 3])
        guard isRunning else { return }
        let (published, response) = try await URLSession.shared.data(
            from: address.appendingPathComponent("v1/platform-keys"))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(String(decoding: published, as: UTF8.self) == exported.output.dropLast())
        let tag = try #require((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag"))
        let latest = try #require(body["statements"]?.last?["fingerprint"] as? String)
        #expect(tag == "\"\(latest)\"")
        for known in ["\"other\", \(tag)", "W/\(tag)", "*"] {
            #expect(try await statusCode(address, knowing: known) == 304, "\(known)")
        }
        #expect(try await statusCode(address, knowing: "\"other\"") == 200)
        #expect(try await command("rotate", "--use", "signing", "--yes").status == 0)
        #expect(try await statusCode(address, knowing: tag) == 200)
        server.signal(SIGTERM)
        _ = await server.result()
    }
}
