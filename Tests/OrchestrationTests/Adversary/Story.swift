import Crypto
import Logging
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TrustedIdentity

@testable import Orchestration

/// The use of one device, with a record of everything that an attacker may have seen.
final class Story: Sendable {
    /// A code that was shown on the screen, with the values it was made from.
    struct SeenCode: Sendable {
        let text: String
        let application: UInt8
        let value: UInt64
        let index: UInt64
        /// The fields of a signature.
        var fields: [DataField] = []
    }

    let world: WalkWorld
    /// Records every flow, as for support.
    private let recorder = TranscriptRecorder(capacity: 1_000)
    private let running: Mutex<Orchestrator>
    private let seen = Mutex<[SeenCode]>([])
    private let answered = Mutex<[[UInt8]]>([])

    /// Activates a device with a password.
    init(password: String = WalkWorld.password, seed: UInt64 = 5_000_000) async throws {
        world = try WalkWorld(
            seed: seed, tally: WalkTally(), weakness: WalkUser.Weakness(), faults: 0, crashes: 0, password: password,
            recorder: recorder)
        world.chance.disableFaults()
        try await ActivationWalk(world: world).runWithoutFaults()
        running = Mutex(try world.process())
        world.deviceTime.milliseconds = 0
    }

    /// The process whose user knows the current password.
    private var process: Orchestrator { running.withLock { $0 } }

    var codes: [SeenCode] { seen.withLock { $0 } }

    /// The transcripts of all flows.
    var transcripts: [Transcript] { recorder.transcripts }

    /// The receipts of all approval requests.
    var receipts: [[UInt8]] { answered.withLock { $0 } }

    /// Logs in with both applications, signs, and answers approval requests after some time, so that the ratchet moves.
    func live(rounds: Int) async throws {
        for _ in 0..<rounds {
            world.time.advance(seconds: 400)
            for application in [CryptoApplicationIndex.app1, .app2] { try await logIn(application) }
            try await sign()
            try await answerRequests()
        }
    }

    /// Approves a login with the password and the number of the site, and a payment without the password; rejects a
    /// payment.
    private func answerRequests() async throws {
        let payment = try DisplayData([.amount(Amount("12.50")), .currency(Currency("EUR")), .creditor("Zoë")])
        let large = try DisplayData([.amount(Amount("1250.00")), .currency(Currency("EUR")), .creditor("Zoë")])
        try await answer(.init(.login, of: world.account, showsNumbers: true)) { try await $0.approve(number: $1) }
        try await answer(.init(.transaction, of: world.account, display: payment)) { request, _ in
            try await request.approve()
        }
        try await answer(.init(.transaction, of: world.account, display: large)) { request, _ in
            try await request.reject(.wrongData)
        }
    }

    private func answer(
        _ parameters: ApprovalParameters, _ decide: (ApprovalRequest, String?) async throws -> AnsweredApproval
    ) async throws {
        let report = try await world.platform.requestApproval(parameters)
        guard let pointer = report.pointer else { throw NothingToSteal() }
        guard case .approvalRequest(let request) = try await process.user(world.account.text).execute(pointer) else {
            throw NothingToSteal()
        }
        let answer = try await decide(request, report.numberToMatch)
        answered.withLock { $0.append(answer.receipt.bytes) }
    }

    private func sign() async throws {
        guard let record = try await world.record() else { throw NothingToSteal() }
        let fields = [DataField(label: "Amount", value: "10 EUR"), DataField(label: "To", value: "Zoë")]
        let made = try await process.user(world.account.text).sign(fields)
        let decision = try await world.platform.validate(
            LocalTransaction(account: world.account, fields: fields, signature: made.signature))
        try world.require(decision.status == .accepted, "a signature of the story is refused: \(decision.reason)")
        let newest = SeenCode(
            text: made.signature, application: 4, value: record.counters[4, default: 0], index: record.ratchetIndex,
            fields: fields)
        seen.withLock { $0.append(newest) }
    }

    private func logIn(_ application: CryptoApplicationIndex) async throws {
        guard let record = try await world.record() else { throw NothingToSteal() }
        let now = world.deviceTime.now().advanced(milliseconds: record.clockOffset)
        let value =
            application == .app1
            ? UInt64(now.secondsSinceEpoch / 30) : record.counters[application.rawValue, default: 0]
        let run = try await FlowRun.of(
            process.oneTimePassword(for: world.account.text, application: application))
        guard let code = run.code?.oneTimePassword else { throw NothingToSteal() }
        let decision = try await world.platform.login(
            LoginRequest(
                account: world.account, credential: .oneTimePassword(code, application: application)))
        try world.require(decision.status == .accepted, "a code of the story is refused: \(decision.reason)")
        let newest = SeenCode(
            text: code, application: application.rawValue, value: value, index: record.ratchetIndex)
        seen.withLock { $0.append(newest) }
    }

    /// Changes the password. The user types the new one from now on.
    func changePassword(from present: String = WalkWorld.password, to new: String) async throws {
        let changing = ScriptedUser([.password(present), .password(new), .password(new)])
        let run = try await FlowRun.of(
            world.process(providers: [changing]).changePassword(of: world.account.text))
        guard case .succeeded = run.end else { throw world.failure("a change of the story ends: \(run.word)") }
        let next = try world.process(providers: [ScriptedUser(password: new)])
        running.withLock { $0 = next }
    }

    /// Locks the device by wrong passwords, and unlocks it. The user types the new password from now on.
    ///
    /// - Returns: The unlock code, which is used.
    func unlock(to new: String) async throws -> String {
        let name = world.account.text
        let wrong = try await FlowRun.of(
            world.process(providers: [ScriptedUser(password: "739152")]).changePassword(of: name))
        guard case .aborted(.userLocked) = wrong.end else { throw world.failure("five wrong ones: \(wrong.word)") }
        let code = try await world.platform.issueUnlockCode(for: world.account).code
        let choosing = ScriptedUser([.password(new), .password(new)])
        let run = try await FlowRun.of(world.process(providers: [choosing]).unlock(name, with: code))
        guard case .succeeded = run.end else { throw world.failure("an unlock of the story ends: \(run.word)") }
        let next = try world.process(providers: [ScriptedUser(password: new)])
        running.withLock { $0 = next }
        return code
    }

    /// Returns a copy of the device for the attacker.
    func steal() async throws -> StolenDevice {
        try await StolenDevice(of: world.account, from: world.vault(on: world.clientStore.base))
    }

    /// Returns the record in the file, decrypted.
    func recordBytes() async throws -> [UInt8] {
        guard let record = try await world.record() else { throw NothingToSteal() }
        return record.encoded
    }

    /// Returns the content of the file, sealed.
    func blobs() async throws -> [[UInt8]] {
        let store = world.clientStore.base
        var blobs: [[UInt8]] = []
        for name in try await store.names().sorted(by: { $0.text < $1.text }) {
            if let blob = try await store.read(name) { blobs.append(blob) }
        }
        return blobs
    }

    /// Returns the lines of the audit log of the platform.
    func auditLines() async throws -> [String] {
        try await world.platform.audit(limit: 1_000).map { "\($0)" }
    }
}
