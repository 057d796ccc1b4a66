/// A value as SQLite stores it.
package enum StoredValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// A value of a kind that no column of the schema has.
    case other
}

/// The values of the named parameters of a statement.
struct Parameters: ExpressibleByDictionaryLiteral, Sendable {
    private(set) var values: [(name: String, value: StoredValue)]

    init(dictionaryLiteral elements: (String, any ColumnValue)...) {
        values = elements.map { ($0, $1.stored) }
    }

    /// Adds a value.
    mutating func add(_ name: String, _ value: some ColumnValue) { values.append((name, value.stored)) }

    /// Returns the values of both.
    static func + (first: Parameters, second: Parameters) -> Parameters {
        var sum = first
        sum.values += second.values
        return sum
    }
}
