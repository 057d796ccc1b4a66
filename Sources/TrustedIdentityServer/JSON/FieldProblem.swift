/// Why a field that has the right type is refused: constant text that never repeats the value.
struct FieldProblem: Error {
    let text: String
}

extension SingleValueDecodingContainer {
    /// The error that names this field.
    func problem(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: text, underlyingError: FieldProblem(text: text)))
    }
}

extension KeyedDecodingContainer {
    /// The error that names a field of this object.
    func problem(_ key: Key, _ text: String) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: codingPath + [key], debugDescription: text, underlyingError: FieldProblem(text: text)))
    }

    /// A text of one of the listed values.
    func decode(_ key: Key, oneOf values: [String]) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard values.contains(text) else { throw problem(key, "must be one of " + values.joined(separator: ", ")) }
        return text
    }

    /// A text of at least one and at most so many UTF-8 bytes.
    func decode(_ key: Key, bytes limit: Int) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard !text.isEmpty, text.utf8.count <= limit else { throw problem(key, "must have 1 to \(limit) bytes") }
        return text
    }

    /// A text of at most so many UTF-8 bytes, when it is there.
    func decodeIfPresent(_ key: Key, bytes limit: Int) throws -> String? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard text.utf8.count <= limit else { throw problem(key, "must have at most \(limit) bytes") }
        return text
    }
}
