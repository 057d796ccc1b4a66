internal import Crypto
internal import Hummingbird
internal import NIOCore
internal import NIOSSL
package import Primitives
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The TLS client certificate of an application server.
package struct ClientCertificate: Sendable {
    /// The SHA-256 of the certificate in DER.
    package let hash: [UInt8]
    /// The seconds since 1970 between which the certificate is valid.
    private let validity: ClosedRange<Int64>

    /// The maximum number of bytes of a certificate in DER. Certificates of authorities have 1 to 3 KiB.
    private static let maximumBytes = 8_192

    /// Creates a certificate from its PEM, the first one of several. Returns nil for any other text.
    package init?(pem: String) {
        guard let first = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).first else { return nil }
        self.init(first)
    }

    /// Creates a certificate from the value of `Client-Cert`, a byte sequence (RFC 9440, section 2.1; RFC 8941, section
    /// 3.3.5): Base64 between colons. Returns nil for any other text.
    package init?(header: String) {
        guard header.utf8.count > 2, header.utf8.count <= Self.maximumBytes * 4 / 3 + 8, header.first == ":",
            header.last == ":", let der = Data(base64Encoded: String(header.dropFirst().dropLast())),
            let certificate = try? NIOSSLCertificate(bytes: [UInt8](der), format: .der)
        else { return nil }
        self.init(certificate)
    }

    init?(_ certificate: NIOSSLCertificate) {
        let (start, end) = (Int64(certificate.notValidBefore), Int64(certificate.notValidAfter))
        guard let der = try? certificate.toDERBytes(), start <= end else { return nil }
        // The hash covers the parsed bytes, not other content of the text.
        hash = Array(SHA256.hash(data: der))
        validity = start...end
    }

    /// Returns whether the certificate is valid at a time (RFC 5280, section 4.1.2.5).
    package func isValid(at time: Timestamp) -> Bool {
        validity.contains(time.millisecondsSinceEpoch / 1_000)
    }
}

extension ClientCertificate {
    /// Returns the certificate with which the caller of a request has proven itself, or nil.
    ///
    /// 1. The header of a peer that is not a trusted proxy is ignored, because certificates are public.
    /// 2. Behind a trusted proxy that sends them, only the header counts: the TLS of the connection belongs to the
    ///    proxy.
    /// 3. More than one header counts as no certificate, because one of them may come from the caller.
    static func of(
        _ request: Request, _ context: ServerContext, _ configuration: ServerConfiguration
    ) async throws -> ClientCertificate? {
        if configuration.proxies.sendClientCertificates, configuration.proxies.trust(context.peerAddress) {
            let values = request.headers[values: .clientCertificate]
            return values.count == 1 ? ClientCertificate(header: values[0]) : nil
        }
        guard configuration.tls.isUsed, let channel = context.channel else { return nil }
        let bytes = try await channel.nioSSL_peerCertificate().get()
        return bytes.flatMap(ClientCertificate.init)
    }
}

extension HTTPFields.Element.Name {
    /// The header of RFC 9440.
    fileprivate static let clientCertificate = constant("client-cert")
}
