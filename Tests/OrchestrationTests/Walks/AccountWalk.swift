import OrchestrationTesting
import Primitives

@testable import Orchestration
@testable import TrustedIdentity

/// Three devices of one account, their user, an administrator, the clock and a lossy network, against a model of each
/// device.
///
/// After each step every state is that of the model, on the device and at the platform, and each device and the
/// application server have got the events of the step: none is missing, none is doubled, and they are in order. A call
/// that the network has cut is made again, as an honest user does, and its events are those of one call.
final class AccountWalk {
    enum Step: String {
        case wrong, change, move, synchronize, issue, unlock, revoke, delete, copy, activate, wait
    }

    /// A move that has begun.
    struct Move {
        let from: Int
        let code: String
        let expiresAt: Timestamp
        /// Whether a registration, or the end of the old device, has ended it.
        var isOver = false
    }

    /// The time after which the walk no longer waits. Revoked devices are unknown after 30 days.
    private static let longest: Int64 = 25 * 86_400_000

    let world: WalkWorld
    let network: LossyNetwork
    let passwords: PasswordDevice
    private let begin: Timestamp
    var devices: [AccountDevice] = []
    var models = Array(repeating: AccountModel(), count: 3)
    /// The times of the unlock codes.
    private var issued: [Timestamp] = []
    var open: Move?
    /// The number of the latest event for the application server.
    var sequence: Int64 = 0
    /// The events of the step for the application server.
    var sent: [String] = []
    /// The notices that all devices should get, and their times.
    var notices: [(notice: AccountNotice, time: Timestamp)] = []

    var now: Timestamp { world.time.now() }

    /// - Parameter world: A world without faults, whose platform records events.
    init(_ world: WalkWorld) async throws {
        self.world = world
        world.chance.disableFaults()
        // A clock that is right needs one request for a synchronization.
        world.deviceTime.milliseconds = 0
        try await world.startFirstPlatform()
        network = LossyNetwork(to: try world.platform)
        passwords = try await PasswordDevice(of: world, usesFiles: false, losses: 0)
        begin = world.time.now()
        for number in 0..<3 { devices.append(try await AccountDevice(world, network, number: UInt64(number))) }
    }

    func run(steps: Int) async throws {
        var index = 0
        for number in 1...steps {
            // What belongs together happens on one device: a code and its use, a move and the lock of a copy.
            if world.chance.draw(0...4) < 2 { index = world.chance.draw(0...2) }
            let (step, before) = (world.chance.pick(Self.steps(in: models[index].state)), models[index].state)
            world.trace.add("step \(number): \(step) on device \(index), \(before.word), at \(now)")
            world.time.advance(seconds: 1)
            planLoss()
            sent = []
            let expected = try await perform(step, index)
            try await inspect(index, expected)
            let after = models[index].state
            if after != before {
                world.tally.count("\(before.word) → \(after.word)")
                world.tally.count("\(step): \(before.word) → \(after.word)")
            }
        }
    }

    /// Returns the steps on a device, the frequent ones several times.
    private static func steps(in state: AccountState) -> [Step] {
        switch state {
        case .ready:
            [.wrong, .wrong, .wrong, .wrong, .change, .change, .move, .move, .move, .synchronize, .synchronize]
                + [.issue, .issue, .issue, .unlock, .unlock, .unlock, .revoke, .delete, .copy, .wait, .wait]
        case .locked(.wrongPassword):
            [.issue, .issue, .issue, .issue, .issue, .unlock, .unlock, .unlock, .unlock, .unlock]
                + [.synchronize, .synchronize, .activate, .revoke, .delete, .change, .wait]
        case .locked: [.issue, .synchronize, .unlock, .activate, .activate, .delete, .revoke]
        case .deleted: [.activate, .activate, .delete, .synchronize, .unlock]
        default: [.activate, .activate, .activate, .activate, .synchronize, .wait]
        }
    }

    /// Plans the loss of up to three sendings of one of the first commands.
    private func planLoss() {
        let chance = world.chance
        guard chance.draw(0...1) == 0 else { return network.plan(nil) }
        network.plan(
            .init(
                command: chance.draw(1...3), sendings: chance.pick([1, 2, 3, 3]),
                isOfAnswer: chance.draw(0...1) == 0))
    }

    private func perform(_ step: Step, _ index: Int) async throws -> AccountModel.Expectation {
        switch step {
        case .wrong: return try await mistype(index)
        case .change: return try await change(index)
        case .move: return try await beginMove(index)
        case .synchronize: return try await synchronize(index)
        case .issue:
            for _ in 0..<world.chance.pick([1, 1, 3]) { try await issue(index) }
            return .init()
        case .unlock: return try await unlock(index)
        case .revoke: return try await revoke(index)
        case .delete: return try await delete(index)
        case .copy: return try await copy(index)
        case .activate: return try await activate(index)
        case .wait: return wait()
        }
    }
}

// The steps. Each one acts, and tells the model.
extension AccountWalk {
    private func mistype(_ index: Int) async throws -> AccountModel.Expectation {
        let count = world.chance.draw(1...5)
        know(index, models[index].password, wrong: count)
        let (tries, isMove) = (models[index].remainingTries(at: now), world.chance.draw(0...1) == 0)
        let error = try await attempt(devices[index].handle) {
            if isMove { _ = try await $0.move() } else { try await $0.changePassword() }
        }
        guard models[index].platform == .ready, models[index].state == .ready else {
            if network.outage != nil { return try checked(error, .init(error: .transport)) }
            return try checked(error, models[index].refusal(of: .proof) ?? .init())
        }
        let (arrived, answered) = (network.arrived, network.answered)
        if network.outage == nil { try world.require(answered == min(count, tries), "\(answered) proofs of \(count)") }
        let events = models[index].countFailures(arrived, answered: answered, at: now)
        if models[index].platform != .ready { report(.deviceLocked, index) }
        let end: OrchestrationError.Code = models[index].state == .ready ? .canceled : .userLocked
        return try checked(error, .init(error: network.outage == nil ? end : .transport, events: events))
    }

    private func change(_ index: Int) async throws -> AccountModel.Expectation {
        let new = PasswordDevice.password(other: models[index].password, world.chance)
        know(index, models[index].password, next: new)
        let error = try await persist(index) { try await $0.changePassword() }
        if let refusal = models[index].refusal(of: .proof) { return try checked(error, refusal) }
        prove(index)
        // The change is complete on the device, and the proof of the new password is lost.
        let isUnconfirmed = network.outage.map { $0.command == 2 && !$0.isOfAnswer } ?? false
        if isUnconfirmed { world.tally.count("unconfirmed") }
        models[index].change(to: new, isConfirmed: !isUnconfirmed)
        return try checked(error, .init(events: [.passwordChanged]))
    }

    private func beginMove(_ index: Int) async throws -> AccountModel.Expectation {
        know(index, models[index].password)
        var begun: DeviceMove?
        let error = try await persist(index) { begun = try await $0.move() }
        if let refusal = models[index].refusal(of: .proof) { return try checked(error, refusal) }
        prove(index)
        // Each message that arrives begins another move.
        for _ in 0..<network.arrived { report(.moveStarted, index) }
        let expected = try checked(error, .init())
        guard let begun else { throw world.failure("no move") }
        open = Move(from: index, code: begun.activationPassword, expiresAt: now.advanced(seconds: 600))
        return expected
    }

    private func synchronize(_ index: Int) async throws -> AccountModel.Expectation {
        var result: SynchronizationResult?
        let error = try await persist(index) { result = try await $0.synchronize() }
        if let refusal = models[index].refusal(of: .synchronize) { return try checked(error, refusal) }
        let tries = models[index].remainingTries(at: now)
        try world.require(
            result?.remainingTries == tries, "\(result?.remainingTries ?? -1) tries are left, not \(tries)")
        try world.require(result?.devices == models.count(where: \.isKept), "\(result?.devices ?? 0) devices")
        return try checked(error, .init(events: newNotices(index).map(AccountEvent.noticed)))
    }

    private func issue(_ index: Int) async throws {
        let model = models[index]
        guard model.platform != .notProvisioned else { return }
        let day = now.advanced(milliseconds: -86_400_000)
        let expected: PlatformError.Code? =
            switch model.platform {
            case .deleted: .alreadyRevoked
            case .locked(.cloneSuspected): .deviceNotUnlockable
            default: issued.count { $0 > day } >= 5 ? .tooManyUnlockCodes : nil
            }
        do {
            let made = try await world.platform.issueUnlockCode(for: world.account, device: model.id)
            try world.require(expected == nil, "a code is issued")
            models[index].code = .init(text: made.code, expiresAt: now.advanced(seconds: 600))
            issued.append(now)
            report(.unlockIssued, index)
        } catch let error as PlatformError {
            try world.require(error.code == expected, "no code is issued: \(error)")
            world.tally.count("issue: \(error.code)")
        }
    }

    /// Sends the latest code, in whatever state it is, or a wrong one with its handle.
    private func unlock(_ index: Int) async throws -> AccountModel.Expectation {
        let (code, new) = (models[index].code, world.chance.pick(PasswordDevice.passwords))
        let isWrong = code == nil || world.chance.draw(0...2) == 0
        var typed = code?.text ?? ""
        if isWrong {
            let handle = try code.map { try ActivationPassword(parsing: $0.text).handle } ?? 0
            let random = SeededRandomSource(seed: UInt64(world.chance.draw(0...9_999)))
            typed = ActivationPassword.make(handle: handle, random: random).formatted()
                .withBytes { String(decoding: [UInt8]($0), as: UTF8.self) }
        }
        know(index, new)
        let isKnown = code.map { $0.isKnown(at: now) } ?? false
        // A user does not type a wrong code again.
        let call: (UserHandle) async throws -> Void = { try await $0.unlock(with: typed) }
        let error =
            isWrong ? try await attempt(devices[index].handle, call) : try await persist(index, call)
        let isCut = isWrong && network.outage != nil
        if isCut, models[index].platform != .ready, models[index].platform != .locked(.wrongPassword) {
            return try checked(error, .init(error: .transport))
        }
        if let refusal = models[index].refusal(of: .unlock) { return try checked(error, refusal) }
        guard !isWrong else {
            if isKnown { models[index].code?.wrongTries += network.arrived }
            let tries = isKnown ? models[index].code.map { 5 - $0.wrongTries } : nil
            world.tally.count("unlock: wrong")
            return try checked(
                error, isCut ? .init(error: .transport) : .init(error: .unlockCodeRefused, tries: tries))
        }
        guard let code, isKnown, !code.isUsed else {
            world.tally.count(code?.isUsed == true ? "unlock: used" : "unlock: ended")
            return try checked(error, .init(error: .unlockCodeRefused))
        }
        prove(index)
        report(.unlockUsed, index)
        if models[index].platform != .ready { report(.deviceUnlocked, index) }
        let wasReady = models[index].state == .ready
        (models[index].state, models[index].platform) = (.ready, .ready)
        models[index].code?.isUsed = true
        models[index].change(to: new)
        // The device did not get the answer to its proof, and the platform has used the code up. A device that was locked
        // learns by a synchronization that it is unlocked.
        let isUsedUp = network.outage.map { $0.command == 2 && $0.isOfAnswer } ?? false
        var events: [AccountEvent] = [.passwordChanged]
        if !wasReady {
            if isUsedUp { events += newNotices(index).map(AccountEvent.noticed) }
            events.append(.unlocked)
        }
        return try checked(error, .init(error: isUsedUp && wasReady ? .unlockCodeRefused : nil, events: events))
    }

    private func revoke(_ index: Int) async throws -> AccountModel.Expectation {
        guard models[index].isKept else { return .init() }
        try await world.platform.revokeDevice(models[index].id, of: world.account)
        end(index)
        return .init()
    }

    /// Deletes the user on a device. If the platform was not informed, an administrator revokes the device.
    private func delete(_ index: Int) async throws -> AccountModel.Expectation {
        let before = models[index]
        let warnings = try await devices[index].handle.delete().map(\.code)
        let isInformed = network.outage == nil
        try world.require(warnings == (isInformed ? [] : [.platformNotInformed]), "warnings: \(warnings)")
        if before.isKept {
            if let outage = network.outage, !outage.isOfAnswer {
                world.tally.count("delete: not informed")
                try await world.platform.revokeDevice(before.id, of: world.account)
            }
            end(index)
        }
        if open?.from == index { open?.isOver = true }
        models[index] = AccountModel()
        return .init(events: before.state == .deleted ? [] : [.deleted])
    }

    /// Changes the password, and then uses a copy of the store from before. The device learns of the lock later.
    private func copy(_ index: Int) async throws -> AccountModel.Expectation {
        let copy = devices[index].store.copy()
        network.plan(nil)
        let expected = try await change(index)
        guard expected.error == nil else { return expected }
        let thief = try world.process(transport: network, store: copy, keys: devices[index].keys)
        let error = try await attempt(thief.user(world.account.text)) { _ = try await $0.synchronize() }
        try world.require(error?.code == .cloneSuspected, "the copy gets \(error.map { "\($0)" } ?? "nothing")")
        models[index].platform = .locked(.cloneSuspected)
        report(.deviceLocked, index)
        return expected
    }

    /// Activates the user on a device: with the open move of another device, or with a registration, which ends it.
    private func activate(_ index: Int) async throws -> AccountModel.Expectation {
        let (before, password) = (models[index], world.chance.pick(PasswordDevice.passwords))
        let move = world.chance.draw(0...2) > 0 ? open.flatMap { $0.from == index ? nil : $0 } : nil
        open = nil
        var code = move?.code ?? ""
        if move == nil {
            code = try await world.platform.register(Registration(account: world.account)).activationPassword
        }
        know(index, password)
        // A copy may have begun the move, which the last step of the activation refuses.
        let isCopied = move.map { isValid($0) && models[$0.from].platform == .locked(.cloneSuspected) } ?? false
        if isCopied { network.plan(nil) }
        let error = try await persist(index) { try await $0.activate(with: code) }
        if isCopied {
            world.tally.count("move: copied")
            let events: [AccountEvent] = [.loaded(.pending), .loaded(before.state)]
            return try checked(error, .init(error: .activationExpired, events: events))
        }
        if let move, !isValid(move) {
            world.tally.count(move.isOver ? "move: over" : "move: expired")
            return try checked(error, .init(error: .activationPasswordNotConfirmed))
        }
        let expected = try checked(error, .init(events: [.loaded(.pending), .loaded(.ready)]))
        if before.state != .deleted, before.isKept { end(index, "replaced") }
        if let move { end(move.from, "moved") }
        let id = try await world.vault(on: devices[index].store, keys: devices[index].keys).record(world.account)?
            .deviceID
        models[index].activate(id ?? [], password: password, at: now)
        if move != nil {
            world.tally.count("move: completed")
            report(.moveCompleted, index)
        }
        report(.activationCompleted, index)
        return expected
    }

    private func isValid(_ move: Move) -> Bool { !move.isOver && now < move.expiresAt }

    /// Advances the clock by seconds to days.
    private func wait() -> AccountModel.Expectation {
        let seconds = world.chance.pick([1...60, 60...900, 3_600...86_400, 86_400...172_800])
        if now.milliseconds(since: begin) < Self.longest {
            world.time.advance(seconds: Int64(world.chance.draw(seconds)))
        }
        return .init()
    }
}
