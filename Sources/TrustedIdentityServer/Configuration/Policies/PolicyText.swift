internal import Crypto
package import TrustedIdentity

/// A policy that was read from a file, with the hash of the file.
package struct PolicyText: Sendable {
    package let policy: Policy
    /// The parts of the file that are allowed and have no effect, in the order of their places.
    package let warnings: [PolicyFileError.Problem]
    /// The SHA-256 of the file.
    package let hash: [UInt8]

    /// Reads a policy.
    ///
    /// - Throws: ``PolicyFileError`` with all problems.
    package init(_ text: String) throws(PolicyFileError) {
        (policy, warnings) = try PolicyFile.content(of: text)
        hash = Array(SHA256.hash(data: Array(text.utf8)))
    }
}
