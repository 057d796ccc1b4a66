/// The time for which the platform accepts a counter-based code of a device. The device shows its user the same
/// time.
package enum CodeWindow {
    /// The number of counter values ahead of the next one for which a code is accepted.
    package static let lookAhead = 10

    /// The time in milliseconds for which a code of the previous ratchet index is accepted after a promotion.
    package static let overlap: Int64 = 5 * 60_000
}
