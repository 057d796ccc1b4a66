/// Why what was typed is not an activation password. None of the cases holds a character of it.
package enum ActivationPasswordError: Error, Sendable, Hashable {
    /// Not twelve characters, spaces and hyphens left out.
    case wrongLength
    /// A character outside the alphabet, at this place of what was typed, counted from 1.
    case invalidCharacter(position: Int)
    /// The last character does not fit the others: a typing error.
    case wrongCheckCharacter
}
