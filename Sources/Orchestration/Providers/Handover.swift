internal import Primitives
internal import Synchronization

/// Carries an owned secret through places where only copyable values can go, and gives it out once.
final class Handover: Sendable {
    private let value: Mutex<SecretBytes?>

    init() {
        value = Mutex(nil)
    }

    init(_ secret: consuming SecretBytes) {
        value = Mutex(secret)
    }

    func take() -> SecretBytes? {
        value.withLock { $0.take() }
    }
}
