internal import TrustedIdentity

extension APIError {
    /// Says which field of a body is wrong and how, without repeating what it held.
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
            self.init(
                field: Self.path(context.codingPath), (context.underlyingError as? FieldProblem)?.text ?? "is invalid")
        @unknown default:
            self.init(.malformedRequest)
        }
    }

    /// `a.b[0].c`, or `body` for the outermost value.
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

    /// A type in the words of JSON.
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
