internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

/// The refusal of a request, before it becomes an ``ErrorBody``.
package struct APIError: Error {
    /// One wrong field of a request.
    struct Field: Encodable, Equatable {
        let field: String
        let message: String
    }

    let code: APIErrorCode
    var fields: [Field] = []
    /// The methods that the path supports; for `methodNotAllowed`.
    private(set) var allow: String?

    init(_ code: APIErrorCode) {
        self.code = code
    }

    /// Creates the error of a malformed request, because of one field.
    init(field: String, _ message: String) {
        code = .malformedRequest
        fields = [Field(field: field, message: message)]
    }

    /// Creates an error with a code, because of one field.
    init(_ code: APIErrorCode, field: String, _ message: String) {
        self.code = code
        fields = [Field(field: field, message: message)]
    }

    /// Creates the error for a method that a path does not support.
    init(notAllowed allow: String) {
        code = .methodNotAllowed
        self.allow = allow
    }

    /// Creates the error that a caller sees for any error. It reveals nothing about an unknown error.
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
        case .notFound: .notFound
        case .contentTooLarge: .bodyTooLarge
        case _ where status.kind == .clientError: .malformedRequest
        default: .internal
        }
    }
}

extension APIError {
    /// Creates the error of a body that cannot be decoded. It names the field and never repeats its value.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(field: Self.path(context.codingPath + [key]), "is required")
        case .valueNotFound(_, let context):
            self.init(field: Self.path(context.codingPath), "is required")
        case .typeMismatch(let type, let context):
            self.init(field: Self.path(context.codingPath), "must be \(Self.name(of: type))")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init(.malformedRequest)
        case .dataCorrupted(let context):
            let problem = context.underlyingError as? FieldProblem ?? FieldProblem(text: "is invalid")
            self.init(problem.code, field: Self.path(context.codingPath), problem.text)
        @unknown default:
            self.init(.malformedRequest)
        }
    }

    /// Returns the path of a field, as `a.b[0].c`, or `body` for the outermost value.
    private static func path(_ keys: [any CodingKey]) -> String {
        let text = keys.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return text.isEmpty ? "body" : text
    }

    /// Returns the name of a type in JSON.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type, is WholeNumber.Type: "a whole number"
        case is [Any].Type: "an array"
        default: "an object"
        }
    }
}

/// The body of each error of the REST API.
struct ErrorBody: Encodable {
    let errorCategory: APIErrorCode.Category
    let errorCode: Int
    /// The same text, where public clients of the original API read it.
    let error: String
    let message: String
    let service = "trusted-identity"
    let logCorrelationId: String
    let timestamp: String
    let validationErrors: [APIError.Field]?

    init(_ error: APIError, correlationID: String, at time: Timestamp) {
        errorCategory = error.code.category
        errorCode = error.code.number
        self.error = error.code.message
        message = error.code.message
        logCorrelationId = correlationID
        timestamp = time.rfc3339
        validationErrors = error.fields.isEmpty ? nil : error.fields
    }
}
