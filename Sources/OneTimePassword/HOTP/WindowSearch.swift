/// The search for the first matching place of a window, in a time that does not depend on its position or existence.
///
/// The caller visits every place of the window, also after a match. No branch depends on a match before the end.
struct WindowSearch {
    private var found: UInt64 = 0
    private var place: UInt64 = 0

    /// Visits a place.
    ///
    /// - Parameters:
    ///   - place: The counter or time step.
    ///   - match: All ones when the code at this place is the typed one, and otherwise zero.
    ///   - isEligible: Whether the place is valid. This is not secret.
    mutating func visit(_ place: UInt64, match: UInt64, isEligible: Bool = true) {
        let eligible: UInt64 = isEligible ? .max : 0
        let first = match & eligible & ~found
        self.place |= place & first
        found |= first
    }

    /// The first place that matched.
    var match: UInt64? { found == 0 ? nil : place }
}
