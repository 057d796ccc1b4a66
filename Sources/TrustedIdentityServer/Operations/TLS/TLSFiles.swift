/// The files of the server's own TLS.
public struct TLSFiles: Sendable, Hashable {
    /// The path of the certificates in PEM, the server's certificate first; `nil` for plain HTTP.
    public var certificate: String?

    /// The path of the private key in PEM; `nil` for plain HTTP.
    public var key: String?

    /// Creates the paths of both files.
    public init(certificate: String? = nil, key: String? = nil) {
        self.certificate = certificate
        self.key = key
    }

    /// Whether the server speaks TLS.
    var isUsed: Bool { certificate != nil || key != nil }

    /// Reads the files, if they are used.
    ///
    /// - Throws: ``ServerError`` with `unusableCertificate`.
    public func check() throws(ServerError) {
        guard isUsed else { return }
        do {
            try ServerCertificate(self).load()
        } catch {
            throw ServerError(.unusableCertificate, underlying: error)
        }
    }
}
