import CommandLine
import Foundation
import Hummingbird
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

/// The images of `visualcodes/render`. The tests of `QRCode` read such images with another program.
@Suite struct ServerVisualCodeTests {
    private static let route = "/v1/visualcodes/render"

    private static func hex(_ text: String) -> String { Hex.encode(Array(text.utf8)) }

    private static func svg(of text: String, on server: TestServer) async throws -> String {
        let answer = try await server.send("GET", "\(route)?format=SVG&message=\(hex(text))")
        #expect(answer.status == 200 && answer.header("Content-Type") == "image/svg+xml")
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test func `a text is drawn as PNG and SVG, without an API key`() async throws {
        try await TestServer.run { server in
            for (format, type) in [
                ("PNG", "image/png"), ("QR", "image/png"), ("CRONTO", "image/png"), ("SVG", "image/svg+xml"),
            ] {
                let answer = try await server.send("GET", "\(Self.route)?format=\(format)&message=\(Self.hex("Grüße"))")
                #expect(answer.status == 200 && answer.header("Content-Type") == type)
                #expect(answer.header("Cache-Control") == "no-store")
                #expect(answer.header("X-Content-Type-Options") == "nosniff")
                let code = try QRCode("Grüße")
                #expect(answer.body == (format == "SVG" ? Data(code.svg().utf8) : Data(code.png())))
            }
        }
    }

    @Test func `the request id and the session id of a pending request are drawn as its pointer`() async throws {
        try await TestServer.run { server in
            let login = try await server.post(
                "/v1/users/alice/login",
                #"{"objectType":"LoginInput","timeout":0,"requestID":"login 1","sessionID":"session 1"}"#)
            let pointer = try OrchestrationCommand(text: try #require(login.text("requestMessage")))
            let image = try QRCode(pointer.qrText).svg()
            #expect(try await Self.svg(of: "login 1", on: server) == image)
            #expect(try await Self.svg(of: "session 1", on: server) == image)
            let plain = try QRCode("login 2").svg()
            #expect(try await Self.svg(of: "login 2", on: server) == plain)
            let key = ["Authorization": "Bearer \(server.applicationKey)"]
            #expect(try await server.send("DELETE", "/v1/sessions/login%201", headers: key).status == 200)
            let ended = try QRCode("login 1").svg()
            #expect(try await Self.svg(of: "login 1", on: server) == ended)
        }
    }

    @Test func `a name that two pending requests have is drawn as a text`() async throws {
        try await TestServer.run { server in
            for (user, id) in [("alice", "a"), ("bob", "b")] {
                let login = try await server.post(
                    "/v1/users/\(user)/login",
                    #"{"objectType":"LoginInput","timeout":0,"requestID":"\#(id)","sessionID":"shared"}"#)
                #expect(login.text("requestMessage") != nil)
            }
            let plain = try QRCode("shared").svg()
            #expect(try await Self.svg(of: "shared", on: server) == plain)
            let unfound = try QRCode("a").svg()
            #expect(try await Self.svg(of: "a", on: server) != unfound)
        }
    }

    @Test(arguments: [
        ("format=gif&message=61", "format"), ("format=&message=61", "format"), ("format=png&message=61", "format"),
        ("format=PNG", "message"), ("", "message"), ("message=", "message"), ("message=6", "message"),
        ("message=zz", "message"), ("message=ff", "message"),
        ("message=" + String(repeating: "61", count: 1_025), "message"),
    ])
    func `a query that cannot be drawn is refused by name`(query: String, field: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "\(Self.route)?\(query)")
            #expect(answer.status == 400 && answer.errorCode == -1001)
            #expect(answer.fields == [field])
        }
    }

    @Test func `the longest text is drawn`() async throws {
        try await TestServer.run { server in
            let longest = String(repeating: "a", count: VisualCodeRequest.maximumTextBytes)
            let image = try QRCode(longest).svg()
            #expect(try await Self.svg(of: longest, on: server) == image)
        }
    }

    @Test func `one address gets as many images as its limit allows`() async throws {
        // The clock stands still, so that no request is given back.
        let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1_800_000_000))
        try await TestServer.run(PlatformConfiguration(requestsPerAddress: 3), time: time) { server in
            for _ in 0..<3 { _ = try await Self.svg(of: "x", on: server) }
            let answer = try await server.send("GET", "\(Self.route)?message=61")
            #expect(answer.status == 429 && answer.errorCode == -1004)
        }
    }

    @Test(arguments: [
        ([], VisualCodeRequest.Format.png), (["*/*"], .png), (["image/svg+xml"], .svg), (["image/png"], .png),
        (["image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"], .png),
        (["image/svg+xml", "image/png;q=0.5"], .svg), (["image/svg+xml;q=0.5", "image/png"], .png),
        (["image/svg+xml, */*;q=0.1"], .svg), (["image/svg+xml, */*"], .svg), (["image/svg+xml;q=0"], .png),
        (["text/html"], .png), (["IMAGE/SVG+XML ; Q=1"], .svg), (["image/svg+xml;q=nan"], .png), ([",;,"], .png),
    ])
    func `the header Accept decides where no format is named`(headers: [String], format: VisualCodeRequest.Format) {
        #expect(VisualCodeRequest.preferred(by: headers) == format)
    }
}
