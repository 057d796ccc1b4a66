internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The current certificate and key of the server's own TLS.
///
/// Each connection uses the certificate that is current when it begins, which means a renewed certificate needs no
/// restart.
final class ServerCertificate: Sendable {
    private let files: TLSFiles
    private let current = Mutex<NIOSSLContext?>(nil)

    /// Creates the certificate without reading its files.
    init(_ files: TLSFiles) { self.files = files }

    /// Reads both files, and uses them for connections from now on. After an error, what was in use stays in use.
    ///
    /// - Throws: ``ConfiguredFileError``.
    func load() throws(ConfiguredFileError) {
        let context = try Self.context(files)
        current.withLock { $0 = context }
    }

    /// Returns the handler of the TLS of a new connection.
    ///
    /// Any client certificate is accepted here. The handshake proves that the client has its key. The platform decides
    /// about each request by the SHA-256 of the certificate. No certificate authority is involved.
    func handler() throws -> NIOSSLServerHandler {
        // A server loads the files before it listens.
        guard let context = current.withLock({ $0 }) else { throw ConfiguredFileError("no certificate is loaded") }
        return NIOSSLServerHandler(
            context: context, customVerificationCallback: { _, promise in promise.succeed(.certificateVerified) },
            configuration: .init())
    }

    private static func context(_ files: TLSFiles) throws(ConfiguredFileError) -> NIOSSLContext {
        guard let certificate = files.certificate, let key = files.key else {
            throw ConfiguredFileError("TLS needs both files: name tls.certificate and tls.key")
        }
        let certificates = try Self.certificates(in: certificate)
        let privateKey: NIOSSLPrivateKey
        do {
            privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
            throw ConfiguredFileError(
                "\(key) has no private key in PEM that can be read: name the file of the key without a password")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        // A client may send a certificate. See handler().
        configuration.certificateVerification = .optionalVerification
        configuration.applicationProtocols = ["http/1.1"]
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfiguredFileError(
                "the key in \(key) does not belong to the certificate in \(certificate): name a matching pair")
        }
    }

    private static func certificates(in path: String) throws(ConfiguredFileError) -> [NIOSSLCertificate] {
        let certificates = try? NIOSSLCertificate.fromPEMFile(path)
        guard let certificates, !certificates.isEmpty else {
            throw ConfiguredFileError(
                "\(path) has no certificate in PEM that can be read: name the file with the certificates")
        }
        return certificates
    }
}
