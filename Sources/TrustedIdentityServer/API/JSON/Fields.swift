internal import Primitives
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The reason why a field of the right type is refused: constant text that never repeats the value.
struct FieldProblem: Error {
    var code = APIErrorCode.malformedRequest
    let text: String
}

extension SingleValueDecodingContainer {
    /// Returns the error that names this field.
    func problem(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: text, underlyingError: FieldProblem(text: text)))
    }
}

extension KeyedDecodingContainer {
    /// Returns the error that names a field of this object.
    func problem(_ key: Key, _ text: String, code: APIErrorCode = .malformedRequest) -> DecodingError {
        problem([key], text, code: code)
    }

    /// Returns the error that names a field at a path from this object.
    func problem(_ path: [any CodingKey], _ text: String, code: APIErrorCode = .malformedRequest) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: codingPath + path, debugDescription: text,
                underlyingError: FieldProblem(code: code, text: text)))
    }

    /// Decodes a text that must be one of the listed values.
    func decode(_ key: Key, oneOf values: [String]) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard values.contains(text) else { throw problem(key, "must be one of " + values.joined(separator: ", ")) }
        return text
    }

    /// Decodes a text of 1 to `limit` UTF-8 bytes.
    func decode(_ key: Key, bytes limit: Int) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard !text.isEmpty, text.utf8.count <= limit else { throw problem(key, "must have 1 to \(limit) bytes") }
        return text
    }

    /// Decodes a text of at most `limit` UTF-8 bytes, if it is present.
    func decodeIfPresent(_ key: Key, bytes limit: Int) throws -> String? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard text.utf8.count <= limit else { throw problem(key, "must have at most \(limit) bytes") }
        return text
    }

    /// Decodes the caller's id of a request or session, if it is present. An empty id counts as absent.
    func decodeIDIfPresent(_ key: Key) throws -> String? {
        guard let id = try decodeIfPresent(key, bytes: 256), !id.isEmpty else { return nil }
        guard DisplayText.hasAllowedCharacters(id) else {
            throw problem(key, "has a character that cannot be shown")
        }
        return id
    }

    /// Decodes a text of 1 to `limit` UTF-8 bytes, if it is present.
    func decodeIfPresent(_ key: Key, nonemptyBytes limit: Int) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(key, bytes: limit)
    }
}

/// A whole number of 0 or more, sent as a JSON number or as a string of digits.
struct WholeNumber: Decodable, Sendable, Equatable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            guard number >= 0 else { throw container.problem("must not be negative") }
            value = number
            return
        }
        guard let text = try? container.decode(String.self) else {
            throw DecodingError.typeMismatch(
                WholeNumber.self, .init(codingPath: container.codingPath, debugDescription: "neither number nor text"))
        }
        // The parser of Int also accepts a sign. Nine digits are enough for every field and cannot overflow.
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(text)
        else { throw container.problem("must be a whole number") }
        value = number
    }
}

/// A truth value, sent as a JSON Boolean or as the text `true` or `false`.
struct Flag: Decodable, Sendable, Equatable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let flag = Bool(text) else { throw container.problem("must be true or false") }
            value = flag
        } else {
            value = try container.decode(Bool.self)
        }
    }
}

/// The index of a member of an array, in the path of a field.
struct ArrayIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map(String.init) ?? "" }

    init(_ index: Int) { intValue = index }

    init?(intValue: Int) { self.intValue = intValue }

    init?(stringValue: String) { nil }
}

extension KeyedDecodingContainer {
    /// Decodes a decimal number, if it is present: a text of at most `limit` UTF-8 bytes as it is, or a JSON number in
    /// its shortest decimal form, without a conversion to binary fractions.
    func decodeDecimalIfPresent(_ key: Key, bytes limit: Int) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let number = try? decode(Decimal.self, forKey: key) {
            let text = "\(number)"
            guard text.utf8.count <= limit else { throw problem(key, "must have at most \(limit) bytes") }
            return text
        }
        return try decodeIfPresent(key, bytes: limit)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a whole number in a range, if it is present.
    func decodeIfPresent(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = try decodeIfPresent(WholeNumber.self, forKey: key)?.value else { return nil }
        guard range.contains(number) else {
            throw problem(key, "must be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Decodes the index of a crypto application, 1 to 8, if it is present.
    func decodeApplicationIfPresent(_ key: Key) throws -> CryptoApplicationIndex? {
        try decodeIfPresent(key, in: 1...CryptoApplicationIndex.allCases.count).map {
            CryptoApplicationIndex.allCases[$0 - 1]
        }
    }
}
