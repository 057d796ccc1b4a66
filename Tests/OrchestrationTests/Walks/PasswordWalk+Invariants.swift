import Primitives
import TrustedIdentity

@testable import Orchestration
@testable import TrustedIdentity

/// What must hold in a walk of changes of the password.
extension PasswordWalk {
    /// Checks what must hold after each operation.
    func inspect() async throws {
        if let violation = world.network.violation { throw world.failure(violation) }
        let (row, stolen) = (try await device.row(), try await device.stolen())
        let record = stolen.record
        try world.require(row.state == .active, "the device is \(row.state)")
        try world.require(record.state == .active, "the user is \(record.state)")
        // Each right password ends the count, and each wrong one was typed on purpose.
        try world.require(
            [failures, 0].contains(row.passwordFailures),
            "\(row.passwordFailures) wrong passwords are counted, and \(failures) were typed")
        failures = row.passwordFailures
        try await inspectThrottle()
        try world.require(
            row.generation <= record.generation, "the platform is at a generation that the device does not have")
        try world.require(
            row.isRestored || record.generation <= row.offeredGeneration,
            "the device is at a generation that was not offered")
        world.tally.count(row.generation == record.generation ? "same generation" : "open change")
        present = try await device.validPassword(at: row, on: stolen)
    }

    private func inspectThrottle() async throws {
        let counted = try await world.throttles().first { $0.key.kind == .code }
        let (row, total) = (counted?.consecutive ?? 0, counted?.total ?? 0)
        try world.require(
            row == throttle.row && total == throttle.total,
            "\(row) wrong codes in a row of \(total) are counted, and should be \(throttle.row) of \(throttle.total)")
    }
}
