internal import OrchestrationProtocol
internal import Primitives

/// Registers the identifier by which the device gets notifications. It completes the registration of the account.
struct NotificationsRegisterHandler: MessageHandler {
    let identifier: String

    func decide(_ request: ServedRequest) -> DeviceDecision {
        var row = request.row
        row.state = .active
        row.notificationIdentifier = identifier
        var decision = request.accept(.notificationsRegister, row, event: .notificationsRegistered)
        let (device, now) = (request.device, request.now)
        if device.awaitsNotificationChannel {
            decision.write = { try $0.finishRegistration(of: device, now: now) }
        }
        return decision
    }
}

/// Issues a token that opens one stream of notifications. The store keeps its hash.
struct NotificationsOpenHandler: MessageHandler {
    let token: StreamToken

    func decide(_ request: ServedRequest) -> DeviceDecision {
        var decision = request.accept(
            .notificationsOpen(token: token.bytes, seconds: StreamToken.lifetimeSeconds))
        let record = token.record(of: request.device.id, now: request.now)
        decision.write = { store in
            // A device has one stream. A new token replaces the previous one.
            try store.removeStreamTokens(of: record.device)
            try requireWritten(store.insert(record))
        }
        return decision
    }
}

/// Compares the generation, agrees on the capabilities, and after a restore takes the higher of both counters. The
/// answer also contains the rules for a new password and the limits that an app shows.
///
/// Without a restore, the platform's counters stay: the device asks right after it showed a code, which the user has
/// yet to type. The signature counter follows at a distance, which keeps the latest signatures valid: it cannot be
/// resynchronized from two codes.
struct SynchronizeHandler: MessageHandler {
    let message: SynchronizeMessage
    /// The capabilities of the platform.
    let capabilities: Set<Capability>
    /// The generations of the password.
    let generations: GenerationState
    /// The rules for a new password.
    let policy: PINPolicy
    /// The number of the other activated devices of the account.
    let otherDevices: Int
    /// The notices of the account that the device lacks.
    let notices: [AccountNoticeRecord]

    func decide(_ request: ServedRequest) -> DeviceDecision {
        var row = request.row
        switch generations.position(of: message.generation) {
        case .current, .next: break
        case .outdated: return request.refuseOutdatedGeneration()
        case .unknown: return request.refuse(.generationUnknown)
        }
        let agreed = capabilities.agreed(with: message.capabilities)
        row.capabilities = agreed
        let isRestored = row.isRestored
        row.isRestored = false
        // The backup may contain a registration that the user has ended since.
        if isRestored { row.enrolledMethods = [] }
        let answer = SynchronizeMessage.Answer(
            generation: row.generation, capabilities: agreed, policy: PINPolicyForm(policy),
            tries: UInt64(max(1, request.remainingTries(of: row))), devices: UInt64(otherDevices + 1),
            maximumDevices: UInt64(DeviceLimits.maximumDevices), notices: notices.map(\.form))
        var decision = request.accept(.synchronize(answer), row, event: isRestored ? .deviceSynchronized : nil)
        let counters = isRestored ? message.counters : CounterRaise.distant(message.counters)
        guard !counters.isEmpty else { return decision }
        let (device, now) = (row, request.now)
        decision.write = { store in
            let stored = try store.codeCounters(of: device.id)
            for move in CounterRaise.moves(counters, of: device, stored: stored, now: now) {
                try requireWritten(store.move(move.to, from: move.from))
            }
        }
        return decision
    }
}

/// Ends the device at its own request.
struct UserDeleteHandler: MessageHandler {
    func decide(_ request: ServedRequest) -> DeviceDecision {
        var decision = request.accept(.userDelete)
        decision.fate = .ends(reason: "userDelete")
        return decision
    }
}

/// Accepts device data. The data is in an extension, as with every other message.
struct DeviceDataHandler: MessageHandler {
    func decide(_ request: ServedRequest) -> DeviceDecision { request.accept(.deviceData) }
}

/// The effect of a device's counters on the platform's counters after a restore: the higher value is kept, for each
/// instance.
enum CounterRaise {
    /// Returns the counters below which no signature of a device is found, if there are any: the platform's window then
    /// ends with the latest signature.
    static func distant(_ counters: [ApplicationCounter]) -> [ApplicationCounter] {
        let window = UInt64(CryptoApplications.lookAhead) + 1
        return counters.filter { $0.application == CryptoApplicationIndex.app4.rawValue && $0.counter > window }
            .map { ApplicationCounter(application: $0.application, counter: $0.counter - window) }
    }

    /// Returns the rows to write, each with the row that it replaces.
    static func moves(
        _ counters: [ApplicationCounter], of device: DeviceRecord, stored: [CodeCounterRecord], now: Timestamp
    ) -> [(from: CodeCounterRecord?, to: CodeCounterRecord)] {
        counters.flatMap { counter in
            device.instances.compactMap { instance in
                let before = stored.first { $0.instance == instance && $0.application == counter.application }
                var after =
                    before
                    ?? CodeCounterRecord(device: device.id, instance: instance, application: counter.application)
                let bound = bound(application: counter.application, now: now)
                after.next = max(after.next, min(counter.counter, bound))
                return after == before ? nil : (before, after)
            }
        }
    }

    /// Returns the highest counter that a device may set. A device whose clock is far ahead must not exclude its own
    /// codes until then.
    private static func bound(application: UInt8, now: Timestamp) -> UInt64 {
        guard CryptoApplicationIndex(rawValue: application).map({ CryptoApplications.use(of: $0) }) == .time else {
            return UInt64(Int64.max)
        }
        return UInt64(max(0, now.secondsSinceEpoch)) / UInt64(CryptoApplications.timeStep) + 2
    }
}
