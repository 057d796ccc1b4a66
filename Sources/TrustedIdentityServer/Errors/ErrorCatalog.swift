internal import Hummingbird
internal import Primitives
package import TrustedIdentity

/// Every error that the REST API answers with, each listed once. The documentation lists the same numbers, and a test
/// compares the two lists.
package enum ErrorCatalog {
    /// The codes of the platform, then those of the server in front of it.
    package static let codes: [PlatformError.Code] =
        PlatformError.Code.all + [
            .bodyTooLarge, .unauthorized, .forbidden, .notFound, .stopping, .remoteAuthenticationUnavailable,
        ]

    /// The HTTP status that goes with a code.
    package static func status(of code: PlatformError.Code) -> Int { responseStatus(of: code).code }

    static func responseStatus(of code: PlatformError.Code) -> HTTPResponse.Status {
        switch code {
        case .malformedRequest, .undecodableCommand, .invalidUserName, .invalidStaticPassword: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound, .unknownUser, .unknownAPIKey: .notFound
        case .bodyTooLarge: .contentTooLarge
        case .codesRefused: .unprocessableContent
        case .busy: .tooManyRequests
        case .storeFailed, .stopping: .serviceUnavailable
        case .remoteAuthenticationUnavailable: .notImplemented
        default: .internalServerError
        }
    }
}

/// The errors of the server itself. Their numbers start at -1050, those of the platform end above.
extension PlatformError.Code {
    /// -1050: the body has more than 64 KiB.
    static let bodyTooLarge = Self("bodyTooLarge", .system, -1050, .caller, "The body is larger than 65536 bytes.")
    /// -1051: the API key is missing, wrong or revoked.
    static let unauthorized = Self("unauthorized", .system, -1051, .caller, "A valid API key is required.")
    /// -1052: the API key is right, its scope is not.
    static let forbidden = Self("forbidden", .system, -1052, .caller, "The scope of the API key does not allow this.")
    /// -1053: there is nothing under this path and method.
    static let notFound = Self("notFound", .system, -1053, .caller, "There is nothing under this path and method.")
    /// -1054: the server is stopping. Ask again; another one may answer.
    static let stopping = Self("stopping", .system, -1054, .environment, "The server is stopping.")
    /// -1400: a login without a credential would have to reach the user's devices, which this platform does not do yet.
    static let remoteAuthenticationUnavailable = Self(
        "remoteAuthenticationUnavailable", .session, -1400, .caller,
        "Remote authentication is not available; send a credential.")
}
