/// A password on its way from the prompt to the wrap: owned by the machine, wiped when that lets go of it.
final class ChosenPassword: Sendable {
    let password: Password

    init(_ password: consuming Password) { self.password = password }
}
