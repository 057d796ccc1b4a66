/// How long the platform accepts a code that a device made with a counter. The device tells its user the same.
package enum CodeWindow {
    /// The counter values ahead of the next one in which a code is accepted.
    package static let lookAhead = 10

    /// The time in milliseconds for which a code of the ratchet index before is accepted, after a promotion.
    package static let overlap: Int64 = 5 * 60_000
}
