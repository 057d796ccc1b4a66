import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// The pages of `GET /v1/platform-keys`.
@Suite struct ServerPlatformKeyTests {
    @Test(arguments: [(rotations: 0, pages: [1]), (7, [8]), (8, [8, 1]), (16, [8, 8, 1])])
    func `a page has eight statements at most, and all pages verify`(rotations: Int, pages: [Int]) async throws {
        let time = ManualTimeSource()
        try await TestServer.run(time: time) { server in
            for _ in 0..<rotations {
                time.advance(seconds: 60)
                try await server.platform.rotateKeys(.signing)
            }
            let latest = try #require(server.platform.keyStatements().last).fingerprint
            var (bodies, next, sequences) = ([[UInt8]](), Int?.some(1), [Int]())
            while let page = next {
                let answer = try await server.send("GET", "/v1/platform-keys?page=\(page)")
                #expect(answer.status == 200 && answer.header("ETag") == "\"\(Hex.encode(latest))\"")
                let statements = try #require(answer.json["statements"] as? [[String: Any]])
                #expect(statements.count == pages[page - 1])
                sequences += statements.compactMap { $0["sequence"] as? Int }
                bodies.append(Array(answer.body))
                next = answer.json["nextPage"] as? Int
            }
            #expect(sequences == Array(1...(rotations + 1)))
            _ = try PublishedKeys(pages: bodies, fingerprint: Hex.encode(latest))
            if bodies.count > 1 {
                #expect(throws: ReceiptError.self) { try PublishedKeys(pages: bodies.dropLast()) }
                #expect(throws: ReceiptError.self) { try PublishedKeys(pages: Array(bodies.dropFirst())) }
            }
            let first = try await server.send("GET", "/v1/platform-keys")
            #expect(Array(first.body) == bodies[0], "the first page by default")
            for page in ["0", "-1", "\(pages.count + 1)", "x", "", "99999999999999999999"] {
                let refused = try await server.send("GET", "/v1/platform-keys?page=\(page)")
                #expect(refused.status == 400 && refused.errorCode == -1001 && refused.fields == ["page"], "\(page)")
            }
        }
    }
}
