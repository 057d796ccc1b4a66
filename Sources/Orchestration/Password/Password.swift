package import Primitives

/// A password or PIN as UTF-8 without a line end. It is wiped when it is released.
///
/// It is not normalized. Providers normalize their input, as ``UserAuthenticationProvider`` describes.
package struct Password: ~Copyable, Sendable {
    private let bytes: SecretBytes

    package init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    package borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try bytes.withBytes(body)
    }

    /// Returns whether the confirmation is the same. The time depends only on the length.
    package borrowing func equals(_ other: borrowing Password) -> Bool {
        withBytes { mine in other.withBytes { ConstantTime.equal(mine, $0) } }
    }

    /// Returns the first rule that the password breaks: its form by the policy, then the rules about weakness.
    ///
    /// - Returns: `nil` for a password that can be chosen.
    package borrowing func fault(under policy: PINPolicy) -> PasswordFault? {
        formFault(under: policy) ?? withBytes { PasswordWeakness.fault(of: $0) }
    }

    /// Returns the rule about the form that the input breaks: its characters and their number.
    ///
    /// The rule depends only on the policy and not on the user's password. A check of an input before its use therefore
    /// does not test a guess.
    package borrowing func formFault(under policy: PINPolicy) -> PasswordFault? {
        withBytes { Orchestration.formFault(of: $0, under: policy) }
    }
}

private func formFault(of bytes: Span<UInt8>, under policy: PINPolicy) -> PasswordFault? {
    var (characters, onlyDigits) = (0, true)
    // One scalar at a time is copied, because a String of the password could not be wiped.
    guard PasswordText.isValid(bytes, counting: &characters, onlyDigits: &onlyDigits) else { return .invalidText }
    if policy.digitsOnly, !onlyDigits { return .notDigits }
    if characters < policy.minimumLength { return .tooShort(minimum: policy.minimumLength) }
    if characters > policy.maximumLength { return .tooLong(maximum: policy.maximumLength) }
    return nil
}
