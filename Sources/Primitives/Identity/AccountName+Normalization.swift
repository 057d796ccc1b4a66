// This file imports Foundation for one function. Normalization form C is not in FoundationEssentials, and the standard
// library does not offer it. The rest of the module does without Foundation.
internal import Foundation

extension AccountName {
    /// Returns a text in normalization form C. ASCII is in this form already, so that most names need no table.
    static func normalized(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
}
