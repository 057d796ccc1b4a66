internal import Primitives
internal import Wire

// Messages about the device itself: its notifications, its counters and its deletion.
extension DeviceMachine {
    func registerNotifications(
        _ row: DeviceRecord, _ message: NotificationsRegisterMessage, moveTo: UInt64
    ) -> DeviceDecision {
        var row = row
        row.state = .active
        row.notificationIdentifier = message.identifier
        var decision = accept(.notificationsRegister, row, moveTo: moveTo, event: .notificationsRegistered)
        if device.awaitsNotificationChannel { decision.effects.append(.finishRegistration) }
        return decision
    }

    /// Compares the generation, agrees on the capabilities, and after a restore takes the higher of both counters.
    ///
    /// Without a restore the counters of the platform stay: the device asks right after it showed a code, which the
    /// user has yet to type. The counter of signatures follows at a distance, so that the latest of them stay valid:
    /// no two codes bring it together again.
    func synchronize(_ row: DeviceRecord, _ message: SynchronizeMessage, moveTo: UInt64) -> DeviceDecision {
        var row = row
        switch GenerationState(row).position(of: message.generation) {
        case .current: break
        // After a restore, codes of the later password are found from now on. The number proves nothing: only a code or
        // a proof promotes.
        case .next: row.offer(generation: message.generation)
        case .outdated: return refuseOutdatedGeneration(row, moveTo: moveTo)
        case .unknown: return refuse(.generationUnknown, row, moveTo: moveTo)
        }
        let agreed = request.capabilities.agreed(with: message.capabilities)
        let answer = AnswerBody.synchronize(generation: row.generation, capabilities: agreed)
        row.capabilities = agreed
        guard row.isRestored else {
            var decision = accept(answer, row, moveTo: moveTo)
            let signatures = CounterRaise.distant(message.counters)
            if !signatures.isEmpty { decision.effects.append(.raiseCounters(signatures)) }
            return decision
        }
        row.isRestored = false
        // The backup may have a registration that the user has ended since.
        row.enrolledMethods = []
        var decision = accept(answer, row, moveTo: moveTo, event: .deviceSynchronized)
        decision.effects.append(.raiseCounters(message.counters))
        return decision
    }

    /// Issues a token that opens one stream of notifications. The store keeps its hash.
    func openNotifications(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        let token = StreamToken(bytes: request.streamToken)
        var decision = accept(
            .notificationsOpen(token: token.bytes, seconds: StreamToken.lifetimeSeconds), row, moveTo: moveTo)
        decision.effects.append(.storeStreamToken(token.record(of: device.id, now: request.now)))
        return decision
    }

    func delete(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        var decision = accept(.userDelete, row, moveTo: moveTo)
        decision.fate = .ends(reason: "userDelete")
        return decision
    }
}

/// The effect of a device's counters on those of the platform after a restore: the higher value wins, for each
/// instance.
enum CounterRaise {
    /// Returns the counters below which no signature of a device is found any more, where there are some: the window of
    /// the platform then ends with the latest signature.
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
