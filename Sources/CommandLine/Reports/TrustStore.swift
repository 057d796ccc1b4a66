#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The certificate authorities of the system, which TLS clients of this process trust.
package enum TrustStore {
    #if os(Linux)
        /// The places where NIOSSL looks for them.
        private static let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
        private static let folder = "/etc/ssl/certs"

        /// Returns whether the system has certificate authorities: in a file, or in a folder, by the hashes of their
        /// names.
        package static func isFound(in root: String = "") -> Bool {
            let manager = FileManager.default
            if files.contains(where: { manager.contents(atPath: root + $0)?.isEmpty == false }) { return true }
            return (try? manager.contentsOfDirectory(atPath: root + folder))?.contains { $0.hasSuffix(".0") } ?? false
        }
    #else
        /// The system has certificate authorities.
        package static func isFound(in root: String = "") -> Bool { true }
    #endif
}
