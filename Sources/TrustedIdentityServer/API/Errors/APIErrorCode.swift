internal import Hummingbird
internal import TrustedIdentity

/// A kind of error of the REST API: its category, number, HTTP status and sentence.
///
/// The article "Errors of the REST API" lists the same codes, and a test compares both lists.
struct APIErrorCode: Sendable, Hashable, CustomStringConvertible {
    /// The part of the domain that an error belongs to; `errorCategory` of the REST API.
    enum Category: String, Sendable, Hashable, CaseIterable, Codable {
        /// The platform itself and its surroundings.
        case system
        /// The name or account of a user.
        case user
        /// Registration and activation.
        case provisioning
        /// A device or its codes.
        case authenticator
        /// A login or transaction in progress.
        case session
        /// The risk policy.
        case risk
        /// A login.
        case authentication
        /// A transaction.
        case transaction
    }

    /// The name of the code, as it is spelled in Swift.
    let description: String
    /// The part of the domain.
    let category: Category
    /// The number in the range of its category; `errorCode` of the REST API.
    let number: Int
    /// The HTTP status of an answer with this error.
    let status: HTTPResponse.Status
    /// A constant English sentence.
    let message: String
    /// The error of the platform that is answered with this code; `nil` for an error of the server itself.
    let platformCode: PlatformError.Code?

    private init(
        _ name: String, _ category: Category, _ number: Int, _ status: HTTPResponse.Status, _ message: String
    ) {
        description = name
        self.category = category
        self.number = number
        self.status = status
        self.message = message
        platformCode = nil
    }

    private init(
        _ code: PlatformError.Code, _ category: Category, _ number: Int, _ status: HTTPResponse.Status
    ) {
        description = code.description
        self.category = category
        self.number = number
        self.status = status
        message = code.message
        platformCode = code
    }

    /// Creates the code for an error of the platform.
    init(_ code: PlatformError.Code) { self = Self.all.first { $0.platformCode == code } ?? .internal }

    /// Returns whether both codes have the same number.
    static func == (a: Self, b: Self) -> Bool { a.number == b.number }

    /// Hashes the number.
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension APIErrorCode {
    /// -1000: the platform or the server failed.
    static let `internal` = Self(.internal, .system, -1000, .internalServerError)
    /// -1001: a value of the request is outside its documented limits.
    static let malformedRequest = Self(.malformedRequest, .system, -1001, .badRequest)
    /// -1002: the platform cannot decode, open or place a command.
    static let undecodableCommand = Self(.undecodableCommand, .system, -1002, .badRequest)
    /// -1003: the store failed, and nothing was changed.
    static let storeFailed = Self(.storeFailed, .system, -1003, .serviceUnavailable)
    /// -1004: too many requests from one address, too many refused requests of one device, or too many callers at once.
    static let busy = Self(.busy, .system, -1004, .tooManyRequests)
    /// -1005: the store belongs to another tenant.
    static let wrongTenant = Self(.wrongTenant, .system, -1005, .internalServerError)
    /// -1006: the master key does not open the store.
    static let wrongMasterKey = Self(.wrongMasterKey, .system, -1006, .internalServerError)
    /// -1007: no API key has this id.
    static let unknownAPIKey = Self(.unknownAPIKey, .system, -1007, .notFound)
    /// -1008: a row was changed outside of the platform.
    static let alteredRow = Self(.alteredRow, .system, -1008, .internalServerError)
    /// -1009: a key of the platform is announced already.
    static let keyAnnounced = Self(.keyAnnounced, .system, -1009, .conflict)
    /// -1010: the clock is behind the latest key statement.
    static let clockBehind = Self(.clockBehind, .system, -1010, .conflict)
    /// -1011: another API key has this name, or a similar one.
    static let apiKeyNameInUse = Self(.apiKeyNameInUse, .system, -1011, .conflict)
    /// -1012: the entry of the audit log was pruned.
    static let prunedEntry = Self(.prunedEntry, .system, -1012, .gone)
    /// -1050: the body is larger than 64 KiB.
    static let bodyTooLarge = Self(
        "bodyTooLarge", .system, -1050, .contentTooLarge, "the body is larger than 65536 bytes")
    /// -1051: the API key is missing, wrong, revoked or suspended.
    static let unauthorized = Self("unauthorized", .system, -1051, .unauthorized, "a valid API key is required")
    /// -1052: the API key is valid, and its scope or its domains do not allow the request.
    static let forbidden = Self(
        "forbidden", .system, -1052, .forbidden, "the scope or the domains of the API key do not allow this")
    /// -1053: no route has this path.
    static let notFound = Self(
        "notFound", .system, -1053, .notFound, "there is nothing under this path")
    /// -1054: the server is stopping. Ask again; another server may answer.
    static let stopping = Self("stopping", .system, -1054, .serviceUnavailable, "the server is stopping")
    /// -1055: the body did not arrive in time.
    static let bodyTimeout = Self(
        "bodyTimeout", .system, -1055, .requestTimeout, "the body did not arrive in time")
    /// -1056: the request was not answered in time.
    static let requestTimeout = Self(
        "requestTimeout", .system, -1056, .serviceUnavailable, "the request was not answered in time; try again later")
    /// -1057: the state of the platform does not allow what an administrator asks.
    static let conflict = Self(
        "conflict", .system, -1057, .conflict, "the state of the platform does not allow this")
    /// -1058: the path has no route with this method. The header `Allow` lists the methods of the path.
    static let methodNotAllowed = Self(
        "methodNotAllowed", .system, -1058, .methodNotAllowed, "the path does not have this method")
    /// -1059: the body is compressed.
    static let unsupportedEncoding = Self(
        "unsupportedEncoding", .system, -1059, .unsupportedMediaType, "the body must not be compressed")
    /// -1060: the header `Expect` is not `100-continue`.
    static let unsupportedExpectation = Self(
        "unsupportedExpectation", .system, -1060, .expectationFailed, "no other expectation than 100-continue is met")
    /// -1061: the method is not one of RFC 9110 or PATCH, or the transfer coding is not `chunked`.
    static let notImplemented = Self(
        "notImplemented", .system, -1061, .notImplemented, "the method or the transfer coding is not known")
    /// -1100: the account does not exist. Never the answer to a login.
    static let unknownUser = Self(.unknownUser, .user, -1100, .notFound)
    /// -1101: the user id or the domain is not allowed.
    static let invalidUserName = Self(
        "invalidUserName", .user, -1101, .badRequest, "the user id or the domain is not allowed")
    /// -1102: the static password is empty or longer than 1,024 bytes.
    static let invalidStaticPassword = Self(.invalidStaticPassword, .user, -1102, .badRequest)
    /// -1200: the platform has no activation of this type.
    static let activationTypeUnavailable = Self(
        "activationTypeUnavailable", .provisioning, -1200, .badRequest,
        "this type of activation is not available; use onlineMDL")
    /// -1300: the account has no device with this id.
    static let unknownDevice = Self(.unknownDevice, .authenticator, -1300, .notFound)
    /// -1301: the device was revoked before.
    static let alreadyRevoked = Self(.alreadyRevoked, .authenticator, -1301, .conflict)
    /// -1302: the device is locked as a copy. It cannot be unlocked.
    static let deviceNotUnlockable = Self(.deviceNotUnlockable, .authenticator, -1302, .conflict)
    /// -1303: the account has several devices that an unlock code may be for.
    static let deviceRequired = Self(.deviceRequired, .authenticator, -1303, .conflict)
    /// -1304: five unlock codes were issued for the account in 24 hours.
    static let tooManyUnlockCodes = Self(.tooManyUnlockCodes, .authenticator, -1304, .tooManyRequests)
    /// -1401: no approval request has this id, or another API key made the request.
    static let unknownApproval = Self(.unknownApproval, .session, -1401, .notFound)
    /// -1402: a pending request of the same API key, or an approved transaction, has this id.
    static let requestIDInUse = Self(.requestIDInUse, .session, -1402, .conflict)
    /// -1403: the approval request has ended and cannot be canceled.
    static let approvalEnded = Self(.approvalEnded, .session, -1403, .conflict)
    /// -1404: the token opens no stream of notifications.
    static let invalidStreamToken = Self(.invalidStreamToken, .session, -1404, .unauthorized)
    /// -1500: there is no record of a decision with this id.
    static let unknownDecision = Self(
        "unknownDecision", .risk, -1500, .notFound, "there is no decision of the policy with this id")
    /// -1600: the codes were not accepted. The error does not reveal whether the user exists.
    static let codesRefused = Self(.codesRefused, .authentication, -1600, .unprocessableContent)

    /// -1700: this platform does not verify transaction data of this kind.
    static let transactionDataUnavailable = Self(
        "transactionDataUnavailable", .transaction, -1700, .badRequest,
        "this kind of transaction data is not available; use data.transactionMessage or data.standard")

    /// -1701: the policy accepts no seals.
    static let sealsUnavailable = Self(.sealsUnavailable, .transaction, -1701, .forbidden)

    /// Every code, each listed once.
    static let all: [Self] = [
        .internal, .malformedRequest, .undecodableCommand, .storeFailed, .busy, .wrongTenant, .wrongMasterKey,
        .unknownAPIKey, .apiKeyNameInUse, .alteredRow, .keyAnnounced, .clockBehind, .prunedEntry, .bodyTooLarge,
        .unauthorized,
        .forbidden, .notFound,
        .stopping, .bodyTimeout, .requestTimeout, .conflict, .methodNotAllowed, .unsupportedEncoding,
        .unsupportedExpectation, .notImplemented, .unknownUser, .invalidUserName, .invalidStaticPassword,
        .activationTypeUnavailable, .unknownDevice,
        .alreadyRevoked, .deviceNotUnlockable, .deviceRequired, .tooManyUnlockCodes, .unknownApproval, .requestIDInUse,
        .approvalEnded, .invalidStreamToken, .unknownDecision,
        .codesRefused, .transactionDataUnavailable, .sealsUnavailable,
    ]
}
