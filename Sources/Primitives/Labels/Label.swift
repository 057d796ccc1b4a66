/// A domain label: it separates one use of a key from every other.
///
/// Every derivation, seal and signature names one. They all stand in ``Label/all``, so that one look tells whether a
/// label is new; a test holds that none is used twice and that none is the beginning of another.
package struct Label: Sendable, Hashable, CustomStringConvertible {
    /// The label as text.
    package let text: String

    /// The label as it enters a derivation: its UTF-8 bytes, without a length and without a terminator.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// The text. Labels are not secret.
    package var description: String { text }

    /// Makes a label from a constant, never from data.
    package init(_ text: StaticString) {
        self.text = text.description
    }
}
