package import Primitives

/// A password or PIN, as UTF-8 without a line end, wiped when its owner lets go of it. It is not normalized: providers
/// are told to, who have the text in a form that can be.
package struct Password: ~Copyable, Sendable {
    private let bytes: SecretBytes

    package init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    package borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try bytes.withBytes(body)
    }

    /// Whether the confirmation is the same, in constant time but for the length.
    package borrowing func equals(_ other: borrowing Password) -> Bool {
        withBytes { mine in other.withBytes { ConstantTime.equal(mine, $0) } }
    }

    /// The first rule that the password breaks: its form by the policy, then the weakness rules. `nil` is a good one.
    package borrowing func fault(under policy: PINPolicy) -> PasswordFault? {
        withBytes { formFault(of: $0, under: policy) ?? PasswordWeakness.fault(of: $0) }
    }
}

private func formFault(of bytes: Span<UInt8>, under policy: PINPolicy) -> PasswordFault? {
    var (characters, onlyDigits) = (0, true)
    // The copy of one scalar at a time is all that is made; a String of the password would never be wiped.
    guard PasswordText.isValid(bytes, counting: &characters, onlyDigits: &onlyDigits) else { return .invalidText }
    if policy.digitsOnly, !onlyDigits { return .notDigits }
    if characters < policy.minimumLength { return .tooShort(minimum: policy.minimumLength) }
    if characters > policy.maximumLength { return .tooLong(maximum: policy.maximumLength) }
    return nil
}
