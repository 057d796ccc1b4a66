import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

/// The log as JSON, and the trace of a caller in it.
@Suite struct JSONLogTests {
    private final class Lines: Sendable {
        let texts = Mutex<[String]>([])

        func handler(_ label: String) -> JSONLogHandler {
            JSONLogHandler(label: label, now: { Date(timeIntervalSince1970: 1_700_000_000.25) }) { line in
                self.texts.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }
        }
    }

    @Test func `an entry is an object on one line`() throws {
        let lines = Lines()
        var logger = Logger(label: "test") { lines.handler($0) }
        logger[metadataKey: "kept"] = "a"
        logger[metadataKey: "replaced"] = "b"
        logger.warning(
            "two\nlines and a \"quote\"",
            metadata: ["replaced": "c", "number": .stringConvertible(7), "list": ["x", ["y": "z/\u{1F512}"]]])
        logger.debug("below the level")
        let expected = """
            {"level":"warning","logger":"test","message":"two\\nlines and a \\"quote\\"","metadata":\
            {"kept":"a","list":["x",{"y":"z/\u{1F512}"}],"number":"7","replaced":"c"},\
            "time":"2023-11-14T22:13:20.250Z"}

            """
        #expect(lines.texts.withLock { $0 } == [expected])
    }

    @Test(arguments: [
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
        ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
        ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
        ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-02", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e473\u{E9}-00f067aa0ba902b7-01", false), ("", false),
    ])
    func `a trace context is taken in the form of version 00`(text: String, isTaken: Bool) {
        let parent = TraceParent(text)
        #expect((parent != nil) == isTaken)
        #expect(parent.map { $0.spanID == "00f067aa0ba902b7" } ?? true)
    }

    @Test func `the entries of a request have the trace of its caller, and a wrong one is left out`() async throws {
        let lines = Lines()
        var logger = Logger(label: "test") { lines.handler($0) }
        logger.logLevel = .debug
        try await TestServer.run(logger: logger) { server in
            for id in ["4bf92f3577b34da6a3ce929d0e0e4736", "canary"] {
                _ = try await server.send(
                    "GET", "/health", headers: ["traceparent": "00-\(id)-00f067aa0ba902b7-01"])
            }
        }
        let answered = lines.texts.withLock { $0.filter { $0.contains("request answered") } }
        #expect(answered.count == 2)
        #expect(answered.first?.contains(#""trace.id":"4bf92f3577b34da6a3ce929d0e0e4736""#) == true)
        #expect(answered.last?.contains("trace.id") == false && answered.last?.contains("canary") == false)
    }

    @Test(.enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
    func `the program writes its log as JSON`() async throws {
        let (program, folder) = (BuiltProgram(name: "trusted-identity"), try TemporaryFolder())
        let server = try program.start([
            "serve", "--data", folder.file("d"), "--listen", "127.0.0.1:0", "--log-format", "json",
        ])
        _ = try await server.address()
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
        let lines = server.errors.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["logger"] as? String == "trusted-identity", "\(line)")
        }
    }
}
