/// Who wants to activate with which code, and what the authenticator can do.
package struct ActivationOffer: Sendable, Hashable {
    /// "user@domain".
    package var account: String

    /// Names the activation password, 15 bits.
    package var handle: UInt16

    /// The suites that the authenticator offers, ascending. Ones that we do not know are allowed.
    package var suites: [UInt64]

    /// What else it can do, ascending. Ones that we do not know are allowed.
    package var capabilities: [UInt64]

    /// The public key of X-Wing; there exactly when suite 2 is offered.
    package var hybridKey: [UInt8]?

    package init(
        account: String, handle: UInt16, suites: [UInt64], capabilities: [UInt64] = [], hybridKey: [UInt8]? = nil
    ) {
        self.account = account
        self.handle = handle
        self.suites = suites
        self.capabilities = capabilities
        self.hybridKey = hybridKey
    }

    static let hybridSuite: UInt64 = 2
}
