internal import Hummingbird
internal import TrustedIdentity

/// A refusal of a request, before it is turned into the error body of the REST API.
struct APIError: Error {
    /// One wrong field of a request.
    struct Field: Encodable, Equatable {
        let field: String
        let message: String
    }

    let code: APIErrorCode
    var fields: [Field] = []

    init(_ code: APIErrorCode) {
        self.code = code
    }

    /// A malformed request, because of one field.
    init(field: String, _ message: String) {
        code = .malformedRequest
        fields = [Field(field: field, message: message)]
    }

    /// An error of its own code, because of one field.
    init(_ code: APIErrorCode, field: String, _ message: String) {
        self.code = code
        fields = [Field(field: field, message: message)]
    }

    /// What any error looks like from outside. Of one that we do not know nothing is told.
    init(any error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as PlatformError: self.init(APIErrorCode(error.code))
        case is CancellationError: self.init(.stopping)
        case let error as any HTTPResponseError: self.init(Self.code(for: error.status))
        default: self.init(.internal)
        }
    }

    private static func code(for status: HTTPResponse.Status) -> APIErrorCode {
        switch status {
        case .notFound, .methodNotAllowed: .notFound
        case .contentTooLarge: .bodyTooLarge
        case _ where status.kind == .clientError: .malformedRequest
        default: .internal
        }
    }
}
