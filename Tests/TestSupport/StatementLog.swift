package import Synchronization

/// The statements that a store ran, without their values.
package final class StatementLog: Sendable {
    package let statements = Mutex<[String]>([])

    package init() {}
}
