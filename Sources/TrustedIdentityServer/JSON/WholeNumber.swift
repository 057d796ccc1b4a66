/// A whole number of 0 or more that callers send as a JSON number or as a string of digits.
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
        // Int's own parser would also take a sign; nine digits are more than any field needs and cannot overflow.
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(text)
        else { throw container.problem("must be a whole number") }
        value = number
    }
}

extension KeyedDecodingContainer {
    /// A whole number in a range, when it is there.
    func decodeIfPresent(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = try decodeIfPresent(WholeNumber.self, forKey: key)?.value else { return nil }
        guard range.contains(number) else {
            throw problem(key, "must be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
