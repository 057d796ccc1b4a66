import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// An account in a state, and the command whose decision is tested.
struct DecisionScene {
    /// The state of the account.
    enum Beginning: Sendable { case registered, exchanged, keyed, proven, activated, suspended }

    /// What a change of another transaction needs.
    struct Values: Sendable {
        var now: Timestamp
        let hashes: KeyedHashes
        let sealer: RowSealer
        /// The verifier of another static password of the account.
        let otherStaticPassword: SealedValue?
        /// The activation password of another registration of the account.
        let otherActivationPassword: ActivationPasswordRecord?
    }

    /// The result of a decision, and the rows after it, in words.
    struct Outcome: Equatable {
        let result: String
        let rows: [String]
    }

    static let staticPassword = "old horse"

    let harness: Harness
    private(set) var values: Values
    let apiKey: String
    /// The activated device; in ``Beginning/keyed`` and ``Beginning/proven`` the pending one.
    let device: Authenticator
    private(set) var sent: Authenticator.Sent?
    private(set) var challenge: LoginChallenge?
    private var handshake: OrchestrationCommand?

    /// The command of a device.
    var command: OrchestrationCommand {
        get throws { try #require(handshake ?? sent?.command) }
    }

    init(for decision: PlatformDecision) async throws {
        harness = try await Harness()
        apiKey = try await harness.platform.createAPIKey(scope: .applicationServer, name: "site").id
        let code = try await harness.register(staticPassword: Self.staticPassword)
        let other = try await harness.restarted(on: harness.snapshot())
        _ = try await other.register(staticPassword: "new horse")
        let (hashes, sealer) = (harness.platform.hashes, harness.platform.sealer)
        values = try await other.store.read { [now = harness.time.now()] store in
            Values(
                now: now, hashes: hashes, sealer: sealer,
                otherStaticPassword: try store.account(Harness.alice)?.staticPassword,
                otherActivationPassword: try store.activationPassword(of: Harness.alice))
        }
        let initiator = try Authenticator.initiator(code: code, random: harness.random)
        if decision.beginning == .registered { handshake = initiator.command }
        // Step 1 is tried with an account without devices. Any device makes its codes.
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        if decision.beginning == .exchanged {
            var session = try initiator.receive(try await harness.platform.execute(initiator.command))
            handshake = try session.seal(
                Authenticator.registration(key, random: harness.random), random: harness.random)
        }
        guard handshake == nil else {
            device = try await other.activate("bob@master")
            return
        }
        device = try await Authenticator.exchangeKeys(code: code, with: harness)
        if [.activated, .suspended].contains(decision.beginning) { try await device.complete(with: harness) }
        if decision.beginning == .proven { try await device.send(.activationPassword, proof: .password, to: harness) }
        if decision.beginning == .suspended {
            try await harness.platform.markRestored(revocations: .unknown)
            // A request of the same moment may be one from before the restore.
            harness.time.advance(milliseconds: 1)
            values.now = harness.time.now()
        }
        switch decision {
        case .loginWithChallenge:
            challenge = try await harness.platform.generateChallenge(for: Harness.account())
        case .activationStep3: sent = try await device.seal(.activationPassword, proof: .password, to: harness)
        case .activationStep4:
            let body = RequestBody.activationComplete(receiptHash: device.receipt)
            sent = try await device.seal(body, proof: .possession, to: harness)
        case .notifications, .suspendedNotifications:
            sent = try await device.seal(.notificationsRegister(identifier: "pull:1"), to: harness)
        case .synchronization:
            sent = try await device.seal(.synchronize(generation: 0, counters: [], capabilities: []), to: harness)
        case .deletion, .suspendedDeletion: sent = try await device.seal(.userDelete, to: harness)
        default: break
        }
    }

    func login(
        _ code: String, application: CryptoApplicationIndex = .app1, on platform: Platform
    ) async throws -> String {
        let request = LoginRequest(
            account: try Harness.account(), credential: .oneTimePassword(code, application: application))
        return "\(try await platform.login(request).reason)"
    }

    /// Sends the command of the device and opens the answer.
    func answer(on platform: Platform) async throws -> String {
        let sent = try #require(sent)
        return "\(try device.open(try await platform.execute(sent.command), to: sent).result)"
    }
}

// The two orders of a decision and a change.
extension DecisionScene {
    /// Makes the decision alone.
    func outcome(of decision: PlatformDecision) async throws -> Outcome {
        let store = try harness.snapshot()
        return try await outcome(of: decision, on: harness.platform(on: store), rows: { store })
    }

    /// Makes the decision after the change.
    func outcome(of decision: PlatformDecision, after change: Interference) async throws -> Outcome {
        let store = try harness.snapshot()
        let platform = try await harness.platform(on: store)
        try await platform.write { [values] in try change.commit(in: $0, of: values) }
        return try await outcome(of: decision, on: platform, rows: { store })
    }

    /// Makes the decision, and the change between its reads and its write.
    func outcome(of decision: PlatformDecision, interruptedBy change: Interference) async throws -> Outcome {
        let base = try harness.snapshot()
        let store = FaultInjectingDatabase(base)
        return try await outcome(of: decision, interruptedBy: change, store) { base }
    }

    /// Does the same on a store in which the last transaction that commits overwrites all others.
    func naiveOutcome(of decision: PlatformDecision, interruptedBy change: Interference) async throws -> Outcome {
        let store = try LastWriterWins(harness.snapshot())
        return try await outcome(of: decision, interruptedBy: change, store) { store.current }
    }

    private func outcome(
        of decision: PlatformDecision, interruptedBy change: Interference, _ store: some InterruptibleStore,
        rows: () -> SQLiteDatabase
    ) async throws -> Outcome {
        let platform = try await harness.platform(on: store)
        store.interrupt { [rows = platform.store.check, values] in
            try change.commit(
                in: $0.checked(by: rows), of: values)
        }
        let outcome = try await outcome(of: decision, on: platform, rows: rows)
        #expect(!store.isArmed, "the decision wrote nothing")
        return outcome
    }

    private func outcome(
        of decision: PlatformDecision, on platform: Platform, rows: () -> SQLiteDatabase
    ) async throws -> Outcome {
        let result = try await decision.result(in: self, on: platform)
        return Outcome(result: result, rows: try await words(of: rows()))
    }

    /// Describes the rows that decisions write, without values that are random.
    private func words(of store: SQLiteDatabase) async throws -> [String] {
        let known: Set<[UInt8]> = [device.id]
        let values = values
        let first = try await harness.store.read { try $0.account(Harness.alice)?.registrationID } ?? ""
        return try await store.read { store in
            func word(_ id: [UInt8]?) -> String { id.map { known.contains($0) ? "known" : "new" } ?? "none" }
            func registration(_ id: String) -> String {
                id == first ? "first" : id == values.otherActivationPassword?.registrationID ? "other" : "new"
            }
            let alice = Harness.alice
            var words = try store.accounts(after: nil, limit: 100).map { account in
                """
                account \(account.name) \(registration(account.registrationID)) \
                active \(account.activatedAt?.millisecondsSinceEpoch ?? 0) \
                other password \(account.staticPassword == values.otherStaticPassword) \
                epochs \(account.registrationEpoch) \(account.staticPasswordEpoch)
                """
            }
            words += try store.devices(after: nil, limit: 100).map { device in
                """
                device \(word(device.id)) \(registration(device.registrationID)) \(device.state) \
                \(device.lockReason?.rawValue ?? "") \(device.stateBeforeLock?.rawValue ?? "") \
                keys \(device.secrets != nil) ratchet \(device.ratchetIndex) \(device.offeredIndex) \
                failures \(device.passwordFailures) restored \(device.isRestored) epoch \(device.epoch) \
                receipts \(device.receiptHashes.count) notifications \(device.notificationIdentifier ?? "none")
                """
            }
            words += try known.flatMap { try store.codeCounters(of: $0) }.map { counter in
                "counter \(counter.instance) \(counter.application) \(counter.next) \(counter.drift)"
            }
            // Failures that are counted during a request are reported by the next answer, so that `unreported` may
            // differ.
            words += try store.throttles(of: alice).map { throttle in
                "throttle \(throttle.key.kind) \(throttle.consecutive) \(throttle.total)"
            }
            if let password = try store.activationPassword(of: alice) {
                words.append(
                    """
                    activation password \(registration(password.registrationID)) \(password.tries) \
                    spent \(password.spentAt != nil) erased \(password.secret == nil)
                    """)
            }
            words += try store.apiKeys().map { "key \($0.name) \($0.revokedAt != nil) epoch \($0.epoch)" }
            let state = try store.currentState()
            let restoredAt = state.restoredAt?.millisecondsSinceEpoch ?? 0
            words.append("restored \(restoredAt) epoch \(state.epoch) suspended \(state.suspendedBelow)")
            // Some rows have random keys, which decide their order.
            words.sort()
            words += try store.auditEntries(of: nil, before: nil, limit: 1_000).reversed().map { entry in
                // The id of a key and the root of a log are random.
                let isRandom = entry.event == .auditContinued || entry.event.rawValue.hasPrefix("api-key")
                let reason = isRandom ? "" : entry.reason
                return "audit \(entry.event.rawValue) \(entry.account ?? "") \(word(entry.device)) \(reason)"
            }
            words += try store.auditTallies(limit: 100).map { "tally \($0.event.rawValue) \($0.reason) \($0.count)" }
            return words
        }
    }
}
