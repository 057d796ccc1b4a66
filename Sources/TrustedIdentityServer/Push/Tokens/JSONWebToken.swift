internal import Primitives

/// A signed token in the compact form (RFC 7515, section 3.1).
enum JSONWebToken {
    /// Returns the token of a header and claims.
    ///
    /// - Parameter sign: Returns the signature over the bytes that it gets.
    static func compact(
        header: some Encodable, claims: some Encodable, sign: ([UInt8]) throws -> [UInt8]
    ) throws -> String {
        let parts = [try JSONBody.encode(header), try JSONBody.encode(claims)]
        let signed = parts.map { Base64URL.encode($0) }.joined(separator: ".")
        return signed + "." + Base64URL.encode(try sign(Array(signed.utf8)))
    }
}
