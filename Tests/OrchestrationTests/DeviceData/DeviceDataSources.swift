import Orchestration
import Synchronization

/// A feeder whose answers a test sets.
final class ScriptedFeeder: DeviceDataFeeder {
    /// The error of a feeder that fails. Its text must reach no warning.
    struct Failure: Error {}

    private let state: Mutex<(calls: Int, answer: @Sendable () async throws -> AppDeviceData)>

    init(_ answer: @escaping @Sendable () async throws -> AppDeviceData) { state = Mutex((0, answer)) }

    convenience init(isRooted: Bool) {
        self.init { AppDeviceData(isRooted: isRooted) }
    }

    var calls: Int { state.withLock { $0.calls } }

    func answer(_ answer: @escaping @Sendable () async throws -> AppDeviceData) {
        state.withLock { $0.answer = answer }
    }

    func deviceData() async throws -> AppDeviceData {
        let answer = state.withLock { state in
            state.calls += 1
            return state.answer
        }
        return try await answer()
    }

    /// Never returns, and ignores cancellation.
    static func hang() async -> AppDeviceData {
        unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        return AppDeviceData()
    }
}

/// A collector of one group with fixed values.
struct FixedCollector: DeviceDataCollector {
    let group: DeviceDataGroup
    var values: [DeviceDataField: DeviceDataValue] = [:]
    var isPermitted = true

    func collect() async throws -> [DeviceDataField: DeviceDataValue] {
        guard isPermitted else { throw DeviceDataPermissionError() }
        return values
    }
}
