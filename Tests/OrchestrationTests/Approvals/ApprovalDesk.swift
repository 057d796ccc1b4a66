import Crypto
import OrchestrationTesting
import Primitives
import Synchronization

@testable import Orchestration
@testable import OrchestrationProtocol
@testable import TrustedIdentity

/// The part of a platform that answers messages about approvals, written for tests, so that a test can make each answer
/// wrong. Keys and devices are those of a real platform, which gets every other message.
final class ApprovalDesk: Transport {
    /// An approval request and what became of it.
    struct Entry: Sendable {
        var content: ApprovalRequestContent
        var request: Sign1
        var number: String?
        var isAnnounced = true
        /// Why it no longer waits.
        var refusal: RefusalCode?
        var answer: Sign1?
        var receipt: ReceiptParts?
    }

    /// A message that has arrived.
    struct Arrival: Sendable {
        let body: RequestBody
        let proof: InstanceProof?
        let account: String
    }

    private struct Client: Sendable {
        let record: UserRecord
        let deviceKey: [UInt8]
        let passwordSecret: SymmetricKey
    }

    private struct State {
        var clients: [[UInt8]: Client] = [:]
        var entries: [Entry] = []
        var arrivals: [Arrival] = []
        var tries = 5
        var acts: [@Sendable (AnswerResult) throws -> AnswerResult] = []
        var refusals: [RefusalCode] = []
        var channels: [[UInt8]] = []
    }

    private let stage: Stage
    private let state = Mutex(State())

    init(_ stage: Stage) { self.stage = stage }

    /// What has arrived, in order.
    var arrivals: [Arrival] { state.withLock(\.arrivals) }

    /// The answers that have arrived, in order.
    var answers: [Sign1] {
        arrivals.compactMap { if case .approvalAnswer(let message) = $0.body { message.answer } else { nil } }
    }

    /// Changes the results of messages about approvals to come, one after another.
    func tamper(_ acts: (@Sendable (AnswerResult) throws -> AnswerResult)...) { state.withLock { $0.acts += acts } }

    /// Refuses the messages about approvals to come, one after another, before anything else.
    func refuse(_ codes: RefusalCode...) { state.withLock { $0.refusals += codes } }

    /// Learns the devices of a store.
    func know(_ orchestrator: Orchestrator, password: String = Stage.password) async throws {
        for (_, record) in try await orchestrator.environment.vault.contents().records {
            let key = try await orchestrator.environment.vault.deviceKey(record.account)
            let secret = try await record.passwordInstance(Sample.password(password), key: key)
            let client = Client(record: record, deviceKey: key.publicKey, passwordSecret: secret)
            state.withLock { $0.clients[record.deviceID] = client }
        }
    }

    /// Makes an approval request of alice.
    @discardableResult
    func request(
        _ kind: ApprovalKind = .login, number: String? = nil, method: AuthenticationMethod = .password,
        rejection: AuthenticationMethod? = nil, fields: [DisplayField] = [.text("Log in?")],
        edit: (inout ApprovalRequestContent) -> Void = { _ in }
    ) throws -> (id: ApprovalID, pointer: OrchestrationCommand) {
        let now = stage.platform.time.now()
        var content = ApprovalRequestContent(
            tenant: "default", account: "alice@master", id: stage.random.bytes(16), kind: kind, sessionID: "session",
            requestID: "request-1", display: try DisplayData(fields), approvalMethod: method,
            rejectionMethod: rejection ?? method, digits: number?.utf8.count ?? 0, created: now,
            expiry: now.advanced(seconds: 120), decisionRecord: [UInt8](repeating: 7, count: 16),
            principal: try ApprovalPrincipal(id: "0123456789abcdef", name: "Example Shop"))
        edit(&content)
        let signed = try sign(content.encoded)
        state.withLock { $0.entries.append(Entry(content: content, request: signed, number: number)) }
        let pointer = ApprovalPointer(tenant: content.tenant, id: content.id)
        return (ApprovalID(checked: content.id), pointer.command)
    }

    /// Signs bytes as an approval request with the platform's key.
    func sign(_ payload: [UInt8]) throws -> Sign1 {
        try stage.platform.platform.keys.signingKey(at: stage.platform.time.now())
            .sign(payload, externalAAD: ApprovalRequestContent.externalAAD)
    }

    /// Changes an approval request.
    func change(_ id: ApprovalID, _ edit: (inout Entry) -> Void) {
        state.withLock { state in
            for index in state.entries.indices where state.entries[index].content.id == id.bytes {
                edit(&state.entries[index])
            }
        }
    }

    func entry(_ id: ApprovalID) -> Entry? { state.withLock { $0.entries.first { $0.content.id == id.bytes } } }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let platform = stage.platform.platform
        let now = stage.platform.time.now()
        guard case .sealed(let message) = try Envelope(decoding: command),
            case let request = try ChannelRequest(message),
            let client = state.withLock({ $0.clients[request.header.deviceID] }),
            let key = platform.keys.sealingKey(request.header.platformKeyID, at: now)
        else { return try await stage.platform.transport.send(command) }
        let (plaintext, sealer) = try request.open(with: key.pair, as: client.record.channelIdentity())
        let sealed = try SealedRequest(decoding: plaintext)
        let binding = MessageBinding(device: client.record.address, requestID: request.header.requestID)
        let verified = try RequestMessage.verified(sealed.message, deviceKey: client.deviceKey, binding: binding)
        guard let result = try handle(verified.message, sealed, client, now: now) else {
            return try await stage.platform.transport.send(command)
        }
        let answer = AnswerMessage(
            to: verified.message.type,
            MessageHead(
                device: client.record.address, requestID: request.header.requestID, time: now,
                ratchetIndex: verified.message.ratchetIndex),
            failedCodes: 0, result: result)
        let signed = try answer.signed(with: platform.keys.signingKey(at: now))
        return try sealer.seal(SealedAnswer(message: SignatureList([signed])).encoded, random: stage.random)
    }

    private func handle(
        _ message: RequestMessage, _ sealed: SealedRequest, _ client: Client, now: Timestamp
    ) throws -> AnswerResult? {
        try state.withLock { state in
            let result: AnswerResult
            let known = state.entries.indices.filter { state.entries[$0].content.account == message.account }
            switch message.body {
            case .approvalList:
                let waiting = known.map { state.entries[$0] }.filter { $0.refusal(at: now) == nil }
                result = .accepted(
                    .approvalList(
                        waiting.map {
                            PendingApproval(
                                id: $0.content.id, kind: $0.content.kind, created: $0.content.created,
                                expiry: $0.content.expiry, isAnnounced: $0.isAnnounced)
                        }))
            case .approvalFetch(let fetch):
                let entry = known.first { state.entries[$0].content.id == fetch.id }.map { state.entries[$0] }
                let refusal = entry.map { $0.refusal(at: now) } ?? .approvalUnknown
                result =
                    if let entry, refusal == nil { .accepted(.approvalFetch(entry.request)) } else {
                        .refused(Refusal(refusal ?? .approvalUnknown))
                    }
            case .approvalAnswer(let answer):
                result = try decide(
                    answer.answer, proof: sealed.proof, over: sealed.message, client, now: now, in: &state)
            case .notificationsOpen:
                result = .accepted(.notificationsOpen(token: stage.random.bytes(16), seconds: 60))
            case .activationPassword, .activationComplete, .notificationsRegister, .synchronize, .userDelete,
                .passwordChange, .passwordProve, .unlock, .moveBegin, .methodRegister, .methodRemove,
                .deviceData, .sealRequest:
                return nil
            }
            state.arrivals.append(Arrival(body: message.body, proof: sealed.proof, account: message.account))
            if !state.refusals.isEmpty { return .refused(Refusal(state.refusals.removeFirst())) }
            return state.acts.isEmpty ? result : try state.acts.removeFirst()(result)
        }
    }

    private func decide(
        _ answer: Sign1, proof: InstanceProof?, over message: Sign1, _ client: Client, now: Timestamp,
        in state: inout State
    ) throws -> AnswerResult {
        let content = try ApprovalAnswerContent.verified(
            answer, deviceKey: client.deviceKey, deviceID: client.record.deviceID
        ).message
        guard let index = state.entries.firstIndex(where: { $0.request.digest == content.requestHash }) else {
            return .refused(Refusal(.approvalUnknown))
        }
        var entry = state.entries[index]
        defer { state.entries[index] = entry }
        if entry.answer == answer {
            return entry.receipt.map { .accepted(.approvalAnswer($0)) } ?? .refused(Refusal(.wrongNumber))
        }
        if let refusal = entry.refusal(at: now) { return .refused(Refusal(refusal)) }
        let isPassword = content.method == .password
        let expected =
            (isPassword
            ? ChannelProof(password: client.passwordSecret, generation: client.record.generation)
            : ChannelProof(possessionOf: client.record)).made(over: message, for: client.record)
        guard proof?.instance == expected.instance, content.isComplete(for: entry.content) else {
            return .refused(Refusal(.malformed))
        }
        guard proof == expected else {
            state.tries = max(0, state.tries - 1)
            return .refused(Refusal(.wrongPassword, remainingTries: UInt64(state.tries)))
        }
        entry.answer = answer
        guard content.number == nil || content.number == entry.number else {
            entry.refusal = .approvalAnswered
            return .refused(Refusal(.wrongNumber))
        }
        let receipt = try receipt(for: answer, content, entry, client, now: now)
        entry.receipt = receipt
        return .accepted(.approvalAnswer(receipt))
    }

    private func receipt(
        for answer: Sign1, _ content: ApprovalAnswerContent, _ entry: Entry, _ client: Client, now: Timestamp
    ) throws -> ReceiptParts {
        let confirmation = ReceiptConfirmation(
            tenant: entry.content.tenant, account: entry.content.account, deviceID: client.record.deviceID,
            deviceKey: client.deviceKey, requestHash: entry.request.digest, answerHash: answer.digest,
            verifiedMethod: content.method, outcome: content.decision == .approved ? .approved : .rejected, time: now,
            decisionRecord: entry.content.decisionRecord)
        let key = stage.platform.platform.keys.signingKey(at: now)
        return ReceiptParts(
            request: entry.request, answer: answer, confirmation: try confirmation.signed(with: [key]))
    }
}

extension ApprovalDesk.Entry {
    /// The refusal of a message about the request; `nil` while it waits.
    fileprivate func refusal(at now: Timestamp) -> RefusalCode? {
        if let refusal { return refusal }
        if answer != nil { return .approvalAnswered }
        return now >= content.expiry ? .approvalExpired : nil
    }
}

/// A stage with an activated user and a desk for approvals.
struct ApprovalStage {
    let stage: Stage
    let desk: ApprovalDesk
    let wire: Wiretap

    init(user: ScriptedUser = ScriptedUser(password: Stage.password)) async throws {
        stage = try await Stage(user: user)
        try await stage.activate()
        desk = ApprovalDesk(stage)
        wire = Wiretap(desk)
        try await desk.know(stage.orchestrator())
    }

    /// A fresh process of the app.
    func orchestrator(user: ScriptedUser? = nil) throws -> Orchestrator {
        try stage.orchestrator(user: user, transport: wire)
    }

    /// The answers that the device keeps.
    func kept() async throws -> [PendingAnswer] {
        try await stage.orchestrator().environment.vault.record(ActivationExchange.account)?.pendingAnswers ?? []
    }
}

/// The events of a flow in words, with a decision about each request.
func story(
    _ flow: AsyncThrowingStream<FlowEvent, any Error>, deciding decide: (ApprovalRequest) async throws -> Void
) async throws -> [String] {
    try await ApprovalRun(flow, deciding: decide).words
}
