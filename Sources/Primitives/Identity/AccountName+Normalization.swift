// Foundation in full, for this one function: normalization form C is not in FoundationEssentials, and the standard
// library keeps its own to itself.
internal import Foundation

extension AccountName {
    /// Normalization form C. ASCII is in it already, so that the names of most systems never meet the tables.
    static func normalized(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
}
