import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import TestSupport

/// A client that trusts one certificate of a server, with or without a certificate of its own.
enum TLSClient {
    /// An answer with its decoded JSON.
    struct Answer {
        let status: Int
        let json: [String: Any]

        var errorCode: Int? { json["errorCode"] as? Int }
    }

    /// Returns the path of a file in `Tests/Vectors/tls`.
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/tls/\(name)").path
    }

    /// Sends a request on a connection of its own.
    ///
    /// - Parameters:
    ///   - server: The name of the certificate that is trusted.
    ///   - certificate: The name of the client's certificate and key, or nil for none.
    ///   - version: The only version of TLS.
    static func send(
        _ path: String, method: HTTPMethod = .GET, port: Int, trusting server: String = "server",
        certificate: String? = nil, headers: [String: String] = [:], body: String? = nil,
        version: TLSVersion = .tlsv13
    ) async throws -> Answer {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = version
        tls.maximumTLSVersion = version
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(self.path("\(server).pem")))
        if let certificate {
            tls.certificateChain = try NIOSSLCertificate.fromPEMFile(self.path("\(certificate).pem"))
                .map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: self.path("\(certificate).key"), format: .pem))
        }
        let client = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: .init(tlsConfiguration: tls))
        do {
            var request = HTTPClientRequest(url: "https://localhost:\(port)\(path)")
            request.method = method
            for (name, value) in headers { request.headers.add(name: name, value: value) }
            if let body { request.body = .bytes(ByteBuffer(string: body)) }
            let answer = try await client.execute(request, timeout: .minutes(10))
            let bytes = try await answer.body.collect(upTo: 65_536)
            let json = try? JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: Any]
            try await client.shutdown()
            return Answer(status: Int(answer.status.code), json: json ?? [:])
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}
