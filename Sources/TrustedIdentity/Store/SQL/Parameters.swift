/// The values of the parameters of a statement, `$1` first.
struct Parameters: ExpressibleByArrayLiteral {
    private(set) var values: [SQLValue]

    init(arrayLiteral elements: any ColumnValue...) { values = elements.map(\.stored) }

    /// Adds a value.
    ///
    /// - Returns: The parameter that has it.
    @discardableResult
    mutating func add(_ value: some ColumnValue) -> String {
        values.append(value.stored)
        return "$\(values.count)"
    }

    /// Returns the values of both.
    static func + (first: Parameters, second: Parameters) -> Parameters {
        var sum = first
        sum.values += second.values
        return sum
    }
}
