internal import Dispatch
internal import OrchestrationProtocol

/// A source of device data: the feeder or a collector.
struct DeviceDataSource: Sendable {
    private let body: @Sendable () async throws -> [DeviceDataField: DeviceDataValue]

    init(_ body: @escaping @Sendable () async throws -> [DeviceDataField: DeviceDataValue]) { self.body = body }

    /// Asks the source. It runs outside of the actor and on the executor of its task, because a source that blocks its
    /// thread must not block anything else.
    @concurrent func collect() async throws -> [DeviceDataField: DeviceDataValue] { try await body() }
}

/// The result of asking a source.
enum SourceOutcome: Sendable {
    case values([DeviceDataField: DeviceDataValue])
    case failed(any Error)
    /// The source has not returned within the time limit, or has not returned from an earlier collection.
    case late
}

/// Runs sources on separate threads. A source that blocks then takes no thread from the pool of Swift concurrency,
/// which has one for each core. A collection asks each group at most once at a time, which means that there are no more
/// threads than groups.
final class SourceExecutor: TaskExecutor {
    static let shared = SourceExecutor()

    private let queue = DispatchQueue(label: "swift-orchestration.device-data", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
