package import Primitives

/// The wire form of a `PINPolicy`.
///
/// The format allows more than the policies of today, so that a later version can widen them. A device refuses what
/// is not a `PINPolicy`.
package struct PINPolicyForm: Sendable, Hashable {
    /// In characters, 1 to 128.
    package var minimumLength: Int

    /// In characters, from the minimum to 128.
    package var maximumLength: Int

    package var digitsOnly: Bool

    /// 1 to 255.
    package var tries: Int

    package init(minimumLength: Int, maximumLength: Int, digitsOnly: Bool, tries: Int) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.digitsOnly = digitsOnly
        self.tries = tries
    }

    /// Creates the form of a policy.
    package init(_ policy: PINPolicy) {
        self.init(
            minimumLength: policy.minimumLength, maximumLength: policy.maximumLength, digitsOnly: policy.digitsOnly,
            tries: policy.tries)
    }

    /// The policy, or nil when a value is outside the limits of one.
    package var policy: PINPolicy? {
        PINPolicy(minimumLength: minimumLength, maximumLength: maximumLength, digitsOnly: digitsOnly, tries: tries)
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 4)
        minimumLength = try reader.readNumber(in: 1...128)
        maximumLength = try reader.readNumber(in: minimumLength...128)
        digitsOnly = try reader.readBoolean()
        tries = try reader.readNumber(in: 1...255)
    }

    func write(to output: inout some CBOROutput) {
        output.array(4)
        output.integer(Int64(minimumLength))
        output.integer(Int64(maximumLength))
        output.boolean(digitsOnly)
        output.integer(Int64(tries))
    }
}
