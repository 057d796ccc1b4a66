internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The device data of an orchestrator: collected at its start, and again when a command leaves and the data is older
/// than the refresh interval.
///
/// The data is the same for all users. Concurrent flows wait for one collection. A source of the app that fails or
/// takes too long is left out, and is asked again when it has returned.
actor DeviceDataCollection {
    /// The age from which incomplete data is collected again.
    private static let retryInterval = Duration.seconds(1)

    private let settings: DeviceDataSettings
    private let time: any TimeSource
    private let logger: Logger

    private var values: [DeviceDataField: DeviceDataValue] = [:]
    private var collectedAt: Duration?
    /// The time for which the values are used. It is short after a source has failed or was late.
    private var validity: Duration
    private var isCollecting = false
    /// The callers that wait for the running collection.
    private var waiters: [AsyncStream<Never>.Continuation] = []
    /// The sources that were asked and have not returned.
    private var busySources: Set<DeviceDataGroup> = []
    /// The warnings of the latest collection, and the codes that a flow of each account has reported.
    private var warnings: [Warning] = []
    private var reported: [AccountName: Set<Warning.Code>] = [:]

    init(_ settings: DeviceDataSettings, time: any TimeSource, logger: Logger) {
        self.settings = settings
        validity = settings.refreshInterval
        self.time = time
        self.logger = logger
    }

    /// Returns the allowed values. Values that are older than the refresh interval are collected first.
    ///
    /// A canceled task gets the previous values at once.
    func current() async -> [DeviceDataField: DeviceDataValue] {
        guard settings.isEnabled else { return [:] }
        if let collectedAt, time.uptime() - collectedAt < validity { return values }
        if !isCollecting {
            isCollecting = true
            // The task does not belong to a flow, because another flow may wait for it when the first one is canceled.
            // Its time is limited.
            Task { await self.collect() }
        }
        let (end, waiter) = AsyncStream<Never>.makeStream()
        waiters.append(waiter)
        // The stream ends with the collection, and for a task that is canceled.
        for await _ in end {}
        return values
    }

    /// Returns the warnings that no flow of an account has reported yet: the warnings of the collection, which is the
    /// same for all accounts, and the warnings about sending the data for this account.
    func unreported(_ ofSending: [Warning] = [], of account: AccountName) -> [Warning] {
        (warnings + ofSending).filter { warning in
            reported[account, default: []].insert(warning.code).inserted || warning.code == .deviceDataNotSent
        }
    }

    private func collect() async {
        var (values, warnings) = ([DeviceDataField: DeviceDataValue](), [Warning]())
        if settings.groups.contains(.basic), source(of: .basic) == nil {
            values = BasicDeviceData(appVersion: settings.appVersion, time: time).values()
        }
        let sources = settings.groups.sorted { $0.rawValue < $1.rawValue }.map { ($0, source(of: $0)) }
        // All sources are asked at once, because their time limits would otherwise add up.
        let asked = sources.compactMap { group, source in
            source.map { source in (group, Task { await self.ask(source, of: group) }) }
        }
        var outcomes: [DeviceDataGroup: SourceOutcome] = [:]
        for (group, task) in asked { outcomes[group] = await task.value }
        for (group, source) in sources {
            guard source != nil else {
                // An app without a feeder leaves the group empty. A group that was turned on must have a source.
                if group != .basic, group != .app { warnings.append(Warning(.deviceDataMissing(group))) }
                continue
            }
            switch outcomes[group] {
            case .values(let collected): values.merge(collected) { _, new in new }
            case .failed(let error) where error is DeviceDataPermissionError:
                warnings.append(Warning(.deviceDataPermissionMissing(group)))
            case .failed(let error):
                let cause = OrchestrationError(.unexpected, underlying: error)
                warnings.append(Warning(.deviceDataMissing(group), cause: cause))
            case .late, nil: warnings.append(Warning(.deviceDataMissing(group)))
            }
        }
        self.values = values.filter { settings.allows($0.key) }
        self.warnings = warnings
        // A warning that no longer applies is reported again when it returns.
        let present = Set(warnings.map(\.code))
        reported = reported.mapValues { $0.filter { !$0.isOfCollection || present.contains($0) } }
        collectedAt = time.uptime()
        // A policy may require a missing group. The group is collected again soon.
        let isComplete = outcomes.values.allSatisfy { if case .values = $0 { true } else { false } }
        validity = isComplete ? settings.refreshInterval : min(settings.refreshInterval, Self.retryInterval)
        isCollecting = false
        for waiter in waiters { waiter.finish() }
        waiters = []
        logger.debug("device data collected", metadata: ["data.fields": "\(self.values.count)"])
    }

    private func source(of group: DeviceDataGroup) -> DeviceDataSource? {
        if let collector = settings.collectors.first(where: { $0.group == group }) {
            return DeviceDataSource {
                // A collector returns fields of its own group only.
                try await collector.collect().filter { $0.key.group == group }
            }
        }
        if group == .app {
            return settings.feeder.map { feeder in DeviceDataSource { try await feeder.deviceData().values } }
        }
        return group.systemCollector.map { collector in DeviceDataSource { try await collector.collect() } }
    }

    /// Asks a source, and waits for it no longer than the time limit.
    private func ask(_ source: DeviceDataSource, of group: DeviceDataGroup) async -> SourceOutcome {
        guard busySources.insert(group).inserted else { return .late }
        let (outcomes, continuation) = AsyncStream<SourceOutcome>.makeStream(bufferingPolicy: .bufferingOldest(1))
        // Neither task is a child: a source that ignores cancellation must not hold the flow, and a task group would
        // wait for it.
        let work = Task(executorPreference: SourceExecutor.shared) {
            let outcome: SourceOutcome
            do { outcome = .values(try await source.collect()) } catch { outcome = .failed(error) }
            await self.returned(group)
            continuation.yield(outcome)
        }
        let alarm = Task { [time, limit = settings.timeLimit] in
            try? await time.sleep(for: limit)
            continuation.yield(.late)
        }
        defer {
            work.cancel()
            alarm.cancel()
        }
        for await outcome in outcomes { return outcome }
        return .late
    }

    private func returned(_ group: DeviceDataGroup) { busySources.remove(group) }
}
