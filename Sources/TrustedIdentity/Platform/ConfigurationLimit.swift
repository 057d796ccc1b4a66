/// A limit of a configuration field: the test that a value must pass, and a readable description of it.
///
/// The validation of a configuration, the errors of a configuration file and the documentation use the same limits.
package struct ConfigurationLimit<Configuration>: Sendable {
    /// The name of the field, as in the source.
    package let field: String

    /// The values that the field may have, such as `1 to 6000`.
    package let text: String

    /// Whether a configuration meets the limit.
    package let isMet: @Sendable (Configuration) -> Bool

    /// Creates a limit.
    package init(_ field: String, _ text: String, isMet: @escaping @Sendable (Configuration) -> Bool) {
        self.field = field
        self.text = text
        self.isMet = isMet
    }

    /// Creates the limit of a number.
    package init(_ field: String, in range: ClosedRange<Int>, _ value: @escaping @Sendable (Configuration) -> Int) {
        self.init(field, "\(range.lowerBound) to \(range.upperBound)") { range.contains(value($0)) }
    }

    /// Creates the limit of a duration.
    package init(
        _ field: String, in range: ClosedRange<Duration>, _ value: @escaping @Sendable (Configuration) -> Duration
    ) {
        self.init(field, "\(range.lowerBound.unitText) to \(range.upperBound.unitText)") { range.contains(value($0)) }
    }
}

extension Duration {
    /// The duration in days, hours, minutes or seconds, in the largest unit that gives a whole number: `5m`.
    package var unitText: String {
        let seconds = components.seconds
        for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)] where seconds > 0 && seconds % length == 0
        {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
