internal import Primitives
internal import TrustedIdentity

/// A configuration while it is read: its values may be outside of their limits.
struct ConfigurationDraft {
    /// The values of a `PINPolicy`, which itself has no values outside of its limits.
    struct PINPolicyDraft {
        var minimumLength = PINPolicy.default.minimumLength
        var maximumLength = PINPolicy.default.maximumLength
        var digitsOnly = PINPolicy.default.digitsOnly
        var tries = PINPolicy.default.tries

        static let limits: [ConfigurationLimit<Self>] = [
            .init("minimumLength", in: PINPolicy.lengths) { $0.minimumLength },
            .init("maximumLength", in: PINPolicy.lengths) { $0.maximumLength },
            .init("tries", in: PINPolicy.numbersOfTries) { $0.tries },
        ]
    }

    var installation = InstallationConfiguration()
    var pinPolicy = PINPolicyDraft()

    /// The limits of all fields, by the names of the fields.
    static let limits: [String: String] = Dictionary(
        uniqueKeysWithValues: PlatformConfiguration.limits.map { ("platform.\($0.field)", $0.text) }
            + ServerConfiguration.limits.map { ("server.\($0.field)", $0.text) }
            + InstallationConfiguration.limits.map { ($0.field, $0.text) }
            + PINPolicyDraft.limits.map { ("platform.pinPolicy.\($0.field)", $0.text) })

    /// The fields whose values are outside of their limits.
    var fieldsOutsideLimits: Set<String> {
        Set(
            installation.platform.problems.map { "platform.\($0.field)" }
                + installation.server.problems.map { "server.\($0.field)" }
                + InstallationConfiguration.limits.filter { !$0.isMet(installation) }.map(\.field)
                + PINPolicyDraft.limits.filter { !$0.isMet(pinPolicy) }.map { "platform.pinPolicy.\($0.field)" })
    }

    /// The rules for passwords, or nil when the minimum length is above the maximum.
    var checkedPINPolicy: PINPolicy? {
        PINPolicy(
            minimumLength: pinPolicy.minimumLength, maximumLength: pinPolicy.maximumLength,
            digitsOnly: pinPolicy.digitsOnly, tries: pinPolicy.tries)
    }
}
