internal import Crypto
package import Primitives

/// The question of an OCRA code, of type QH64: a hash over all data that the code covers.
///
/// The numeric question of OCRA maps different numbers to one code, so it is not used for data.
package enum SignedQuestion {
    /// The use of a code. The raw value is the first item of the question.
    package enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// The answer to a challenge of the platform.
        case challenge
        /// A signature over data fields.
        case signature
        /// A seal over the SHA-256 of data, and its name.
        case seal
        /// A host code, by which the platform authenticates itself to the user.
        case host
    }

    /// Returns the SHA-256 over CBOR `[purpose, tenant, instance, application, challenge, counter, [field, …]]`. A
    /// field is its value, or `[label, value]`.
    ///
    /// - Parameters:
    ///   - purpose: The use of the code.
    ///   - instance: The instance whose code it is, or whose code a host code answers.
    ///   - application: The crypto application, 1 to 8.
    ///   - challenge: The challenge of the platform, also of the code that a host code answers, or nil.
    ///   - counter: The counter of a signature or a seal, or the counter or time step of the code that a host code answers, or
    ///     nil.
    ///   - fields: The signed data fields in their order, also of the signature that a host code answers; for a seal,
    ///     ``SealContent/signedFields``.
    /// - Returns: 32 bytes.
    package static func hash(
        purpose: Purpose, tenant: String, instance: Instance, application: UInt8, challenge: String?, counter: UInt64?,
        fields: [DataField]
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(7)
        writer.text(purpose.rawValue)
        writer.text(tenant)
        writer.unsigned(UInt64(instance.rawValue))
        writer.unsigned(UInt64(application))
        if let challenge { writer.text(challenge) } else { writer.null() }
        if let counter { writer.unsigned(counter) } else { writer.null() }
        writer.array(fields.count)
        for field in fields {
            guard let label = field.label else {
                writer.text(field.value)
                continue
            }
            writer.array(2)
            writer.text(label)
            writer.text(field.value)
        }
        return SHA256.hash(data: writer.finish()).withSpan { [UInt8]($0) }
    }
}
