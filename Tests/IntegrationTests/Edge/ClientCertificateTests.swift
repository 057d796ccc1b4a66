import Foundation
import NIOHTTP1
import Primitives
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// TLS client certificates as principals.
@Suite struct ClientCertificateTests {
    private static let tls = ServerConfiguration(port: 0, tls: TLSTests.files)
    private static let user = "/v1/users/nobody@master"

    private static func hash(_ name: String) throws -> [UInt8] {
        let pem = String(decoding: try Vectors.data("tls/\(name).pem"), as: UTF8.self)
        return try #require(ClientCertificate(pem: pem)).hash
    }

    /// The value of `Client-Cert` with a certificate.
    private static func header(_ name: String) throws -> String {
        let lines = String(decoding: try Vectors.data("tls/\(name).pem"), as: UTF8.self).split(separator: "\n")
        return ":" + lines.filter { !$0.hasPrefix("-----") }.joined() + ":"
    }

    private static func allow(
        _ name: String, _ platform: Platform, scope: APIKeyScope = .administrator, domains: [String] = []
    ) async throws -> String {
        try #require(try await platform.allowCertificate(hash(name), scope: scope, name: name, domains: domains))
    }

    @Test func `an allowed certificate has its scope and its domains`() async throws {
        try await TestServer.run(server: Self.tls) { server in
            _ = try await Self.allow("client", server.platform, domains: ["master"])
            func status(_ path: String) async throws -> (Int, Int?) {
                let answer = try await TLSClient.send(path, port: server.port, certificate: "client")
                return (answer.status, answer.errorCode)
            }
            #expect(try await status(Self.user) == (404, -1100))
            #expect(try await status("/v1/users/nobody@other") == (403, -1052))
            let registration = try await TLSClient.send(
                "/v1/users/register", method: .POST, port: server.port, certificate: "client",
                body: ServerEndpointTests.registration)
            #expect(registration.status == 403 && registration.errorCode == -1052)
        }
    }

    @Test(arguments: ["unknown-client", "expired-client", "future-client", nil])
    func `a certificate that is unknown, or not valid at this time, is refused`(name: String?) async throws {
        try await TestServer.run(server: Self.tls) { server in
            for allowed in ["client", "expired-client", "future-client"] {
                _ = try await Self.allow(allowed, server.platform)
            }
            let answer = try await TLSClient.send(Self.user, port: server.port, certificate: name)
            #expect(answer.status == 401 && answer.errorCode == -1051)
            let right = try await TLSClient.send(Self.user, port: server.port, certificate: "client")
            #expect(right.status == 404)
        }
    }

    @Test func `a revoked certificate is refused, and is not allowed again`() async throws {
        try await TestServer.run(server: Self.tls) { server in
            let id = try await Self.allow("client", server.platform)
            let hash = try Self.hash("client")
            #expect(id == Hex.encode(hash))
            try await server.platform.revokeAPIKey(id)
            let answer = try await TLSClient.send(Self.user, port: server.port, certificate: "client")
            #expect(answer.status == 401)
            let again = try await server.platform.allowCertificate(
                Self.hash("client"), scope: .administrator, name: "again")
            #expect(again == nil)
        }
    }

    @Test func `the hash of a certificate is no API key, and a wrong key outweighs a right certificate`() async throws {
        try await TestServer.run(server: Self.tls) { server in
            let id = try await Self.allow("client", server.platform)
            for secret in [id, "\(id).\(id)", "\(id).", "\(id).\(Base64URL.encode(try Self.hash("client")))"] {
                let answer = try await TLSClient.send(
                    Self.user, port: server.port, certificate: "client",
                    headers: ["Authorization": "Bearer \(secret)"])
                #expect(answer.status == 401)
            }
            let key = try await TLSClient.send(
                Self.user, port: server.port, certificate: "unknown-client",
                headers: ["Authorization": "Bearer \(server.administratorKey)"])
            #expect(key.status == 404)
        }
    }

    /// The proxies, whether they send certificates, and whether Client-Cert counts.
    private static let peers: [(String, Bool, Bool)] = [
        ("127.0.0.0/8", true, true), ("127.0.0.0/8", false, false), ("10.0.0.0/8", true, false),
        ("none", true, false),
    ]

    @Test(arguments: peers)
    func `Client-Cert counts from a trusted proxy that sends it, and from no other peer`(
        network: String, sends: Bool, counts: Bool
    ) async throws {
        let proxies = TrustedProxies([AddressRange(network)].compactMap(\.self), sendClientCertificates: sends)
        try await TestServer.run(server: ServerConfiguration(port: 0, proxies: proxies)) { server in
            for name in ["client", "expired-client"] { _ = try await Self.allow(name, server.platform) }
            func status(_ header: String) async throws -> Int {
                try await server.send("GET", Self.user, headers: ["Client-Cert": header]).status
            }
            let right = try Self.header("client")
            #expect(try await status(right) == (counts ? 404 : 401))
            for name in ["expired-client", "unknown-client"] {
                #expect(try await status(Self.header(name)) == 401, "\(name)")
            }
            let inner = right.dropFirst().dropLast()
            for wrong in [
                "", ":", "::", ":AAAA:", String(inner), ":\(inner)", "\(inner):", ":\(inner.dropLast(8)):",
                "\(right), \(right)", ":\(String(repeating: "A", count: 12_000)):",
            ] { #expect(try await status(wrong) == 401, "\(wrong.prefix(20))") }
        }
    }

    @Test func `a certificate with any byte changed, or with any time, is read or is none`() throws {
        let header = String(try Self.header("client").dropFirst().dropLast())
        let der = [UInt8](try #require(Data(base64Encoded: header)))
        func read(_ bytes: [UInt8]) -> Bool? {
            let value = ":" + Data(bytes).base64EncodedString() + ":"
            return ClientCertificate(header: value)?.isValid(at: Timestamp(secondsSinceEpoch: 1_800_000_000))
        }
        #expect(read(der) == true)
        var accepted = 0
        for index in der.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var changed = der
                changed[index] ^= change
                if read(changed) != nil { accepted += 1 }
            }
        }
        // The signature is not verified here: the platform compares the hash of all bytes.
        #expect(accepted > 0)
        let end = try #require(der.firstRange(of: Array("21000101000000Z".utf8)))
        for time in ["00000101000000Z", "00010101000000Z", "20000229235959Z", "99991231235959Z"] {
            #expect(read(der.replacing(end, with: time)) == (time.hasPrefix("9") ? true : nil), "\(time)")
        }
        for time in ["20000230000000Z", "20001301000000Z", "2000010100000Z0", "abcdefghijklmno"] {
            #expect(read(der.replacing(end, with: time)) == nil, "\(time)")
        }
    }

    @Test func `two headers with certificates are none`() async throws {
        let proxies = TrustedProxies([AddressRange("127.0.0.1")].compactMap(\.self), sendClientCertificates: true)
        try await TestServer.run(server: ServerConfiguration(port: 0, proxies: proxies)) { server in
            _ = try await Self.allow("client", server.platform)
            let line = "Client-Cert: \(try Self.header("client"))\r\n"
            for (lines, status) in [(line, "404"), (line + line, "401")] {
                let answer = try await RawConnection.exchange(
                    "GET \(Self.user) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(lines)\r\n", port: server.port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            }
        }
    }

    @Test(.enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
    func `key create allows the certificate of a file, once`() async throws {
        let (program, folder) = (BuiltProgram(name: "trusted-identity"), try TemporaryFolder())
        func create(_ file: String) async throws -> BuiltProgram.Result {
            try await program.run([
                "key", "create", "--data", folder.file("d"), "--scope", "app-server", "--name", file,
                "--certificate", TLSClient.path(file),
            ])
        }
        let server = try program.start(["serve", "--data", folder.file("d"), "--listen", "127.0.0.1:0"])
        _ = try await server.address()
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
        let made = try await create("client.pem")
        let id = Hex.encode(try Self.hash("client"))
        #expect(made.status == 0 && made.output == id + "\n", "\(made)")
        let again = try await create("client.pem")
        #expect(again.status == 3 && again.errors.contains("the certificate has a key already"))
        let key = try await create("client.key")
        #expect(key.status == 2 && key.errors.contains("the file has no certificate in PEM"))
        let list = try await program.run(["key", "list", "--data", folder.file("d")])
        #expect(list.output.contains(id))
    }
}

extension [UInt8] {
    /// Returns the bytes with a text instead of a range of the same length.
    fileprivate func replacing(_ range: Range<Int>, with text: String) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(range, with: Array(text.utf8))
        return bytes
    }
}
