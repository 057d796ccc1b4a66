// Foundation in full, for this one function: normalisation form C is not in FoundationEssentials, and the standard
// library keeps its own to itself.
internal import Foundation

extension AccountName {
    /// Normalisation form C. ASCII is in it already, so that the names of most systems never meet the tables.
    static func normalised(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
}
