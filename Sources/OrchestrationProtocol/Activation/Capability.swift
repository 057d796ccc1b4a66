/// A function of one side of the protocol that the other side may ask for.
///
/// Both sides name their capabilities by number, in step 1 of an activation and in each `synchronize`. The capabilities
/// that both have are agreed: neither side asks the other for more. A number that one side does not know is not agreed.
package enum Capability: UInt64, Sendable, Hashable, CaseIterable {
    /// One-time passwords of crypto applications of the kinds TOTP and HOTP. A device generates them; a platform
    /// accepts them at a login.
    case oneTimePasswords = 1

    /// Codes over a challenge. A device generates them; a platform issues challenges, and accepts the codes at a login.
    case challengeCodes = 2

    /// Host codes. A platform returns one with an accepted code; a device shows the one to expect.
    case hostCodes = 3

    /// Codes over the data fields of a transaction. A device generates them; a platform accepts them for transactions.
    case signatures = 4

    /// Codes over the digest of data. A device generates them; a platform accepts them as seals.
    case seals = 5

    /// The capabilities of a device that uses this library.
    package static let device: Set<Capability> = [
        .oneTimePasswords, .challengeCodes, .hostCodes, .signatures, .seals,
    ]
}

extension Set<Capability> {
    /// The numbers of the capabilities, ascending.
    package var numbers: [UInt64] { map(\.rawValue).sorted() }

    /// Returns the numbers of an ascending list that are in this set, ascending.
    package func agreed(with numbers: [UInt64]) -> [UInt64] {
        numbers.filter { Capability(rawValue: $0).map(contains) ?? false }
    }
}
