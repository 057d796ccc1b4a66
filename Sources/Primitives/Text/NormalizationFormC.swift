// This file imports Foundation for one function. Normalization form C is not in FoundationEssentials, and the standard
// library does not offer it. The rest of the module does not use Foundation.
internal import Foundation

/// Unicode normalization form C (UAX #15).
package enum NormalizationFormC {
    /// Returns a text in the form. ASCII is already in this form, which means that most texts need no table.
    package static func of(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }

    /// Returns whether a text is in the form.
    ///
    /// The bytes are compared. Two strings are equal in Swift if they differ only in normalization.
    package static func contains(_ text: String) -> Bool {
        of(text).utf8.elementsEqual(text.utf8)
    }
}
