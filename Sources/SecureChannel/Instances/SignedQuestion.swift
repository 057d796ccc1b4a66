internal import Crypto
internal import Primitives
internal import Wire

/// What an OCRA code is made over: the hash of everything it shall mean, as the question of type QH64.
///
/// OCRA's own numeric question maps different numbers to one code, so it is never used for data.
package enum SignedQuestion {
    /// SHA-256 over CBOR `[purpose, tenant, instance, application, challenge, counter, [field, …]]`.
    ///
    /// - Parameters:
    ///   - purpose: "challenge", "signature" or "host".
    ///   - instance: 1 is the password's, 2 is for the other methods.
    ///   - application: 1 to 8.
    ///   - challenge: of the platform, or nil.
    ///   - counter: the counter or time step of the code that a host code answers, or nil.
    ///   - fields: what is signed, in its order.
    /// - Returns: 32 bytes.
    package static func hash(
        purpose: String, tenant: String, instance: UInt8, application: UInt8, challenge: String?, counter: UInt64?,
        fields: [String]
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(7)
        writer.text(purpose)
        writer.text(tenant)
        writer.unsigned(UInt64(instance))
        writer.unsigned(UInt64(application))
        if let challenge { writer.text(challenge) } else { writer.null() }
        if let counter { writer.unsigned(counter) } else { writer.null() }
        writer.array(fields.count)
        for field in fields { writer.text(field) }
        return SHA256.hash(data: writer.finish()).withSpan { [UInt8]($0) }
    }
}
