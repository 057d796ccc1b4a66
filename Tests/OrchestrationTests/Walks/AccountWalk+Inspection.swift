import OrchestrationProtocol
import Primitives

@testable import Orchestration
@testable import TrustedIdentity

/// What a step expects, and what must hold after it.
extension AccountWalk {
    func know(_ index: Int, _ present: String, next: String? = nil, wrong: Int = 0) {
        devices[index].user.know(.init(present: present, next: next ?? present, wrong: wrong, givesUp: wrong > 0))
    }

    /// Makes a call once.
    func attempt(
        _ handle: UserHandle, _ call: (UserHandle) async throws -> Void
    ) async throws -> OrchestrationError? {
        do {
            try await call(handle)
            return nil
        } catch let error as OrchestrationError {
            return error
        }
    }

    /// Makes a call, and makes it again after an outage.
    func persist(
        _ index: Int, _ call: (UserHandle) async throws -> Void
    ) async throws -> OrchestrationError? {
        let error = try await attempt(devices[index].handle, call)
        guard error?.code == .transport, network.outage != nil else { return error }
        world.trace.add("again after an outage")
        world.tally.count("outages")
        return try await attempt(devices[index].handle, call)
    }

    /// Requires the error of a call.
    func checked(
        _ error: OrchestrationError?, _ expected: AccountModel.Expectation
    ) throws -> AccountModel.Expectation {
        try world.require(
            error?.code == expected.error
                && (expected.error != .unlockCodeRefused || error?.remainingTries == expected.tries),
            "the call throws \(word(error?.code)) with \(word(error?.remainingTries)) tries, "
                + "and should throw \(word(expected.error)) with \(word(expected.tries))")
        return expected
    }

    func word<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "none" }

    /// Proves the right password of a device.
    func prove(_ index: Int) {
        let count = models[index].prove()
        if count > 0 { report(.passwordsFailed, index, count: count) }
    }

    /// Revokes a device.
    func end(_ index: Int, _ reason: String = "") {
        if !reason.isEmpty { world.tally.count("end: \(reason)") }
        report(.deviceRevoked, index)
        (models[index].platform, models[index].code) = (.deleted, nil)
        if open?.from == index { open?.isOver = true }
    }

    /// Expects an event for the application server, and the notice for all devices that belongs to it.
    func report(_ kind: PlatformEvent.Kind, _ index: Int, count: Int = 1) {
        let noticed: [PlatformEvent.Kind: AccountNoticeKind] = [
            .activationCompleted: .deviceActivated, .deviceRevoked: .deviceRevoked, .deviceLocked: .deviceLocked,
            .deviceUnlocked: .deviceUnlocked, .unlockIssued: .unlockCodeIssued, .unlockUsed: .unlockCodeUsed,
            .moveStarted: .moveStarted,
        ]
        if let kind = noticed[kind],
            let notice = AccountNotice(
                AccountNoticeForm(number: 0, kind: kind.rawValue, time: now, device: models[index].id))
        {
            notices.append((notice, now))
        }
        sent.append("\(kind.rawValue) \(Hex.encode(models[index].id)) \(count)")
    }

    /// Returns the notices that a synchronization brings: the first eight that the device lacks, of the latest 32.
    func newNotices(_ index: Int) -> [AccountNotice] {
        let model = models[index]
        let known = max(model.notices, notices.count - 32)
        let new = notices.indices.filter { $0 >= known && notices[$0].time > model.activatedAt }.prefix(8)
        if let last = new.last { models[index].notices = last + 1 }
        if new.count > 1 { world.tally.count("several notices") }
        return new.map { notices[$0].notice }
    }

    /// Requires that all is as the model has it, and that the events of the step have come.
    ///
    /// - Parameter acting: The device of the step.
    func inspect(_ acting: Int, _ expected: AccountModel.Expectation) async throws {
        let rows = try await world.devices()
        for (index, model) in models.enumerated() {
            let (device, state) = (devices[index], try await devices[index].handle.state)
            try world.require(state == model.state, "device \(index) is \(state.word), and not \(model.state.word)")
            let (events, due) = (try await device.newEvents(), index == acting ? expected.events : [])
            try world.require(events == due, "device \(index) has got \(events), and not \(due)")
            guard model.platform != .notProvisioned else { continue }
            guard let row = rows.first(where: { $0.id == model.id }) else { throw world.failure("\(index) has no row") }
            let platform = row.accountState
            try world.require(
                platform == model.platform,
                "\(index) is \(word(platform?.word)) at the platform, not \(model.platform.word)")
            guard model.isKept else { continue }
            try world.require(
                row.passwordFailures == model.failures,
                "\(row.passwordFailures) wrong passwords are counted, and not \(model.failures)")
            guard index == acting, state == .ready, platform == .ready else { continue }
            let stolen = try await StolenDevice(
                of: world.account, from: world.vault(on: device.store, keys: device.keys))
            let valid = try await passwords.validPassword(at: row, on: stolen)
            try world.require(valid == model.password, "the password is \(valid), and not \(model.password)")
        }
        let last = sequence
        let records = try await world.platformStore.base.read { try $0.events(after: last, limit: 100) }
        sequence = records.last?.sequence ?? sequence
        let words = records.map(\.event).map {
            "\($0.kind.rawValue) \($0.device.map { Hex.encode($0) } ?? "-") \($0.count)"
        }
        try world.require(words == sent, "the events are \(words), and not \(sent)")
    }
}

extension DeviceRecord {
    /// The state as an account has it; `nil` for a device whose activation is not complete.
    fileprivate var accountState: AccountState? {
        switch state {
        case .active where lockReason == nil: .ready
        case .locked: lockReason.map { .locked($0) }
        case .revoked: .deleted
        case .pending, .pendingNotification, .active: nil
        }
    }
}
