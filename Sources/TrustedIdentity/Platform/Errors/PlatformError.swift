public import Primitives

/// An error of the platform.
///
/// Every public method of ``Platform`` throws a `PlatformError` or `CancellationError`. Two errors are equal when their
/// codes are. Neither `description` nor ``message`` ever contains a name, a code, a password or a key, so both are
/// safe to log and to send to an application server.
public struct PlatformError: CodedError, Sendable {
    /// The kind of error.
    public let code: Code

    /// The error that caused this one, such as an error of the store. Do not send it to a caller.
    public let underlying: (any Error)?

    /// The source location where the error was created.
    public let location: SourceLocation

    /// The party that has to act to resolve the error.
    public var blame: Blame { code.blame }

    /// A constant English sentence for developers.
    public var message: String { code.message }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - underlying: The error that caused this one.
    ///   - fileID: The file that creates the error. Keep the default.
    ///   - line: The line that creates the error. Keep the default.
    public init(_ code: Code, underlying: (any Error)? = nil, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.underlying = underlying
        location = SourceLocation(fileID: fileID, line: line)
    }
}

extension PlatformError {
    /// A kind of error. Later versions may add codes; a `switch` over them needs a `default` case.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, as it is spelled in Swift.
        public let description: String
        /// The party that has to act.
        public let blame: Blame
        /// A constant English sentence.
        public let message: String

        private init(_ name: StaticString, _ blame: Blame, _ message: StaticString) {
            description = name.description
            self.blame = blame
            self.message = message.description
        }

        /// Returns whether both codes have the same name.
        public static func == (a: Code, b: Code) -> Bool { a.description == b.description }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }

        /// The platform reached a state that its own rules exclude.
        public static let `internal` = Self("internal", .bug, "the platform failed")
        /// An argument is outside its documented limits.
        public static let malformedRequest = Self(
            "malformedRequest", .caller, "a value is missing, of the wrong type, or outside its limits")
        /// The platform cannot decode, open or place a command. Also the answer to an unknown device.
        public static let undecodableCommand = Self(
            "undecodableCommand", .peer, "the command cannot be decoded")
        /// The store failed, and nothing was changed.
        public static let storeFailed = Self("storeFailed", .environment, "the store failed")
        /// Too many requests from one address that prove no device, too many refused requests of one device, or too
        /// many callers at once. Try again later.
        public static let busy = Self("busy", .environment, "too many requests; try again later")
        /// The store belongs to another tenant.
        public static let wrongTenant = Self("wrongTenant", .caller, "the store belongs to another tenant")
        /// The master key does not open the store, or is malformed.
        public static let wrongMasterKey = Self(
            "wrongMasterKey", .caller, "the master key does not open the store")
        /// A row was changed outside of the platform. Restore it, or remove it and register its user again.
        public static let alteredRow = Self(
            "alteredRow", .environment,
            "a row was changed outside of the platform: restore a backup, or remove the row")
        /// No API key has this id.
        public static let unknownAPIKey = Self("unknownAPIKey", .caller, "there is no such API key")
        /// Another API key that is not revoked has this name, or one that users cannot tell from it.
        public static let apiKeyNameInUse = Self(
            "apiKeyNameInUse", .caller,
            "another API key has this name or one like it; choose another name, or revoke that key first")
        /// A key of the platform has a successor that is announced and not in use yet.
        public static let keyAnnounced = Self(
            "keyAnnounced", .caller, "a new key is announced already; wait until it is in use")

        /// The clock is more than 24 hours before the time of the latest key statement.
        public static let clockBehind = Self(
            "clockBehind", .caller, "the clock is behind the latest key statement; set it right")
        /// The entry of the audit log was pruned. It is in the file that was written then.
        public static let prunedEntry = Self(
            "prunedEntry", .caller, "the entry of the audit log was pruned; it is in the file that was written then")
        /// The account does not exist. A login never throws it.
        public static let unknownUser = Self("unknownUser", .caller, "there is no such user")
        /// The account has no device with this id. A device of another account counts as unknown.
        public static let unknownDevice = Self("unknownDevice", .caller, "the user has no such device")
        /// The device was revoked before.
        public static let alreadyRevoked = Self("alreadyRevoked", .caller, "the device is revoked already")
        /// The device is locked because its store was copied. Register the user again, and revoke the device.
        public static let deviceNotUnlockable = Self(
            "deviceNotUnlockable", .caller,
            "the device is locked as a copy; revoke it, and register the user again")
        /// The account has several devices that an unlock code may be for.
        public static let deviceRequired = Self(
            "deviceRequired", .caller, "the user has several devices; name the one to unlock")
        /// Five unlock codes were issued for the account in 24 hours.
        public static let tooManyUnlockCodes = Self(
            "tooManyUnlockCodes", .caller,
            "five unlock codes were issued for the user in 24 hours; register the user again, or wait")
        /// The static password is empty or longer than 1,024 bytes.
        public static let invalidStaticPassword = Self(
            "invalidStaticPassword", .caller, "the static password is empty or too long")
        /// The codes were not accepted. The error does not reveal whether the user exists.
        public static let codesRefused = Self("codesRefused", .user, "the codes were not accepted")

        /// The policy accepts no seals.
        public static let sealsUnavailable = Self("sealsUnavailable", .caller, "the policy accepts no seals")

        /// A pending request of the same caller has the request id, or a transaction that was approved.
        public static let requestIDInUse = Self(
            "requestIDInUse", .caller, "a request has this id; ask for its state, or name another id")
        /// There is no approval request with this id, or it belongs to another caller.
        public static let unknownApproval = Self(
            "unknownApproval", .caller, "there is no such approval request")
        /// The approval request has ended.
        public static let approvalEnded = Self("approvalEnded", .caller, "the approval request has ended")

        /// The token opens no stream: it is unknown, was used, has expired, or is of another channel or device.
        public static let invalidStreamToken = Self(
            "invalidStreamToken", .caller, "the token opens no stream; ask for another one")

        /// Every code, for the catalog of the REST API and its test.
        package static let all: [Self] = [
            .internal, .malformedRequest, .undecodableCommand, .storeFailed, .busy, .wrongTenant, .wrongMasterKey,
            .alteredRow, .unknownAPIKey, .apiKeyNameInUse, .keyAnnounced, .clockBehind, .prunedEntry, .unknownUser,
            .unknownDevice,
            .alreadyRevoked, .deviceNotUnlockable, .deviceRequired, .tooManyUnlockCodes,
            .invalidStaticPassword,
            .codesRefused, .sealsUnavailable, .requestIDInUse, .unknownApproval, .approvalEnded,
            .invalidStreamToken,
        ]
    }
}
