import Synchronization

/// The statements that a store ran, without their values.
final class StatementLog: Sendable {
    let statements = Mutex<[String]>([])
}
