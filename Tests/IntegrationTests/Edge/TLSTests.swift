import Foundation
import NIOSSL
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// The server's own TLS.
@Suite struct TLSTests {
    static let files = TLSFiles(certificate: TLSClient.path("server.pem"), key: TLSClient.path("server.key"))

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `a client that trusts the certificate is answered over TLS`(version: TLSVersion) async throws {
        try await TestServer.run(server: ServerConfiguration(port: 0, tls: Self.files)) { server in
            let answer = try await TLSClient.send("/health", port: server.port, version: version)
            #expect(answer.status == 200 && answer.json["status"] as? String == "ok")
            await #expect(throws: (any Error).self) {
                try await TLSClient.send("/health", port: server.port, trusting: "renewed-server", version: version)
            }
        }
    }

    @Test func `earlier versions of TLS and plain HTTP get no answer of HTTP`() async throws {
        try await TestServer.run(server: ServerConfiguration(port: 0, tls: Self.files)) { server in
            await #expect(throws: (any Error).self) {
                try await TLSClient.send("/health", port: server.port, version: .tlsv11)
            }
            let plain = try await RawConnection.exchange("GET /health HTTP/1.1\r\nHost: a\r\n\r\n", port: server.port)
            #expect(!plain.hasPrefix("HTTP"))
            #expect(try await TLSClient.send("/health", port: server.port).status == 200)
        }
    }

    @Test(arguments: [
        ("server.pem", "renewed-server.key", "the key in"), ("server.key", "server.key", "no certificate in PEM"),
        ("server.pem", "server.pem", "no private key in PEM"), ("none.pem", "server.key", "no certificate in PEM"),
        ("server.pem", "none.key", "no private key in PEM"),
    ])
    func `files that cannot be used are an error at the start`(
        certificate: String, key: String, problem: String
    ) async throws {
        let files = TLSFiles(certificate: TLSClient.path(certificate), key: TLSClient.path(key))
        let error = await #expect(throws: ServerError.self) {
            try await TestServer.run(server: ServerConfiguration(port: 0, tls: files)) { _ in }
        }
        #expect(error?.code == .unusableCertificate)
        #expect(error?.underlying.map { "\($0)" }?.contains(problem) == true)
    }
}

/// SIGHUP and the errors of `serve`, as a user sees them.
@Suite(.enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
struct TLSProgramTests {
    private let program = BuiltProgram(name: "trusted-identity")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Copies a certificate and a key to the files that the server reads.
    private func use(_ certificate: String, _ key: String) throws {
        for (name, copy) in [("\(certificate).pem", "c.pem"), ("\(key).key", "k.pem")] {
            try folder.write([UInt8](try Vectors.data("tls/\(name)")), to: copy)
        }
    }

    private func arguments() -> [String] {
        [
            "serve", "--data", folder.file("d"), "--listen", "127.0.0.1:0", "--tls-certificate", folder.file("c.pem"),
            "--tls-key", folder.file("k.pem"),
        ]
    }

    @Test func `SIGHUP takes a renewed certificate, and keeps it when the files do not belong together`() async throws {
        try use("server", "server")
        let server = try program.start(arguments())
        let address = try await server.address()
        let port = try #require(address.port)
        #expect(address.scheme == "https")
        #expect(try await TLSClient.send("/health", port: port).status == 200)

        try use("renewed-server", "renewed-server")
        server.signal(SIGHUP)
        try await Patience.wait(for: "line about the renewal") { server.errors.contains("was read again") }
        #expect(try await TLSClient.send("/health", port: port, trusting: "renewed-server").status == 200)
        await #expect(throws: (any Error).self) { try await TLSClient.send("/health", port: port) }

        try use("server", "renewed-server")
        server.signal(SIGHUP)
        try await Patience.wait(for: "line about the refusal") { server.errors.contains("does not belong to") }
        #expect(server.errors.contains("the certificate was not replaced"))
        #expect(try await TLSClient.send("/health", port: port, trusting: "renewed-server").status == 200)

        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }

    @Test func `a certificate that does not fit its key ends the start with an error that names both`() async throws {
        try use("server", "client")
        let result = try await program.run(arguments())
        #expect(result.status == 1)
        #expect(result.errors.contains("the certificate of the server cannot be used"))
        #expect(result.errors.contains("the key in \(folder.file("k.pem")) does not belong to the certificate in"))
        #expect(result.errors.contains("hint: tls.certificate and tls.key name the files"))
    }
}
