public import struct Primitives.AccountName
public import struct Primitives.Timestamp

/// What this device knows of a user (requirement O3). No secret is in it.
public struct UserInformation: Sendable, Hashable {
    /// How far the user has come on this device.
    public enum State: String, Sendable, Hashable, Codable {
        /// The activation was begun and not finished; ``Orchestrator/activate(_:)`` resumes it.
        case pending
        /// Everything can be used.
        case active
        /// The store was found to be a copy. Delete the user and activate anew.
        case locked
    }

    /// Who it is.
    public let account: AccountName

    /// How far the user has come on this device.
    public let state: State

    /// The id of this activation at the platform, in hex.
    public let deviceID: String

    /// The serial numbers of the two authenticator instances: the password's, and the one of the other methods (D7).
    public let serialNumbers: [String]

    /// What the platform issued (X10).
    public let applications: [Application]

    /// The form of the password (X9).
    public let passwordPolicy: PINPolicy

    /// What is registered with the platform for notifications; `nil` until it is.
    public let notificationIdentifier: String?

    /// When the activation was finished, by the platform's clock as this device knows it; `nil` until it is.
    public let activatedAt: Timestamp?

    /// Whether the keys were agreed with a post-quantum suite.
    public let isPostQuantum: Bool
}

extension UserInformation {
    /// A crypto application as the platform issued it.
    public struct Application: Sendable, Hashable {
        /// What an application does.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// Time-based one-time passwords (RFC 6238).
            case timeBased
            /// Counter-based one-time passwords (RFC 4226).
            case counterBased
            /// Responses to challenges (RFC 6287).
            case challengeResponse
            /// Signatures over transaction data (RFC 6287).
            case signature
        }

        /// Which one it is.
        public let index: ApplicationIndex

        /// What it does.
        public let kind: Kind

        /// How many digits its codes have, 6 to 10.
        public let digits: Int

        /// How many seconds a code lives; `nil` for codes without a time.
        public let period: Int?

        /// Whether the platform answers an accepted code with a host code.
        public let hasHostCode: Bool
    }
}
