public import Primitives

extension PlatformError {
    /// Which part of the domain an error belongs to; `errorCategory` of the REST API.
    public enum Category: String, Sendable, Hashable, CaseIterable, Codable {
        /// The platform itself and its surroundings.
        case system
        /// A user's name or account.
        case user
        /// Registration and activation.
        case provisioning
        /// A device or its codes.
        case authenticator
        /// A login or transaction under way.
        case session
        /// The risk policy.
        case risk
        /// A login.
        case authentication
        /// A transaction.
        case transaction
    }

    /// The kinds of error; `errorCategory` and `errorCode` of the REST API. More may come; a switch over them needs a
    /// default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// Which part of the domain.
        public let category: Category
        /// The number, in the range of its category.
        public let number: Int
        /// Who has to act.
        public let blame: Blame
        /// A constant English sentence.
        public let message: String
        /// The name of the code as it is spelled in Swift.
        public let description: String

        /// Makes a code. The number is its identity.
        package init(
            _ name: StaticString, _ category: Category, _ number: Int, _ blame: Blame, _ message: StaticString
        ) {
            description = name.description
            self.category = category
            self.number = number
            self.blame = blame
            self.message = message.description
        }

        /// Whether both are the same number.
        public static func == (a: Code, b: Code) -> Bool { a.number == b.number }

        /// Hashes the number.
        public func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
}

extension PlatformError.Code {
    /// -1000: something that must not happen.
    public static let `internal` = Self("internal", .system, -1000, .bug, "The platform failed.")
    /// -1001: an argument is outside its documented limits.
    public static let malformedRequest = Self(
        "malformedRequest", .system, -1001, .caller, "A value is missing, of the wrong type, or outside its limits.")
    /// -1002: a command that the platform cannot read, open or place. Also the answer to an unknown or revoked device.
    public static let undecodableCommand = Self(
        "undecodableCommand", .system, -1002, .peer, "The command cannot be decoded.")
    /// -1003: the store failed; nothing was changed.
    public static let storeFailed = Self("storeFailed", .environment, -1003, "The store failed.")
    /// -1004: too many unproven requests from one address, or too many callers at once. Try again later.
    public static let busy = Self("busy", .environment, -1004, "Too many requests; try again later.")
    /// -1005: the store belongs to another tenant.
    public static let wrongTenant = Self("wrongTenant", .caller, -1005, "The store belongs to another tenant.")
    /// -1006: the master key does not open the store, or is not a master key.
    public static let wrongMasterKey = Self(
        "wrongMasterKey", .caller, -1006, "The master key does not open the store.")

    /// -1100: there is no such account. Never the answer to a login.
    public static let unknownUser = Self("unknownUser", .user, -1100, .caller, "There is no such user.")
    /// -1101: the user id or the domain is not allowed.
    public static let invalidUserName = Self(
        "invalidUserName", .user, -1101, .caller, "The user id or the domain is not allowed.")
    /// -1102: the static password is empty or longer than 1,024 bytes.
    public static let invalidStaticPassword = Self(
        "invalidStaticPassword", .user, -1102, .caller, "The static password is empty or too long.")

    /// -1007: there is no such API key.
    public static let unknownAPIKey = Self("unknownAPIKey", .system, -1007, .caller, "There is no such API key.")

    /// -1600: the codes were not accepted; whether the user exists is not said.
    public static let codesRefused = Self(
        "codesRefused", .authentication, -1600, .user, "The codes were not accepted.")

    /// Every code, for the documentation and its test.
    public static let all: [Self] = [
        .internal, .malformedRequest, .undecodableCommand, .storeFailed, .busy, .wrongTenant, .wrongMasterKey,
        .unknownAPIKey, .unknownUser, .invalidUserName, .invalidStaticPassword, .codesRefused,
    ]

    /// A code of the category `system`.
    private init(_ name: StaticString, _ blame: Blame, _ number: Int, _ message: StaticString) {
        self.init(name, .system, number, blame, message)
    }
}
