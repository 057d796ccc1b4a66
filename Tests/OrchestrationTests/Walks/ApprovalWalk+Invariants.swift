import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity

/// What must hold in a walk of approvals.
extension ApprovalWalk {
    /// Checks what must hold after each operation.
    func inspect() async throws {
        if let violation = world.network.violation { throw world.failure(violation) }
        for place in requests.indices { try await inspect(request: place) }
        let known = try await world.devices()
        try world.require(known.count == 2, "the platform has \(known.count) devices")
        for device in devices where device.failures < PINPolicy.default.tries {
            guard let row = known.first(where: { $0.id == device.id }) else {
                throw world.failure("the \(device.name) is gone")
            }
            try world.require(
                row.state == .pendingNotification || row.state == .active,
                "the platform has locked the \(device.name): \(String(describing: row.lockReason))")
            try world.require(
                row.passwordFailures == device.failures,
                "\(row.passwordFailures) wrong passwords are counted, and \(device.failures) were typed")
        }
        let throttles = try await world.throttles()
        try world.require(
            throttles.allSatisfy { $0.consecutive == 0 && $0.total == 0 }, "an approval is counted as a wrong code")
    }

    /// Checks that a request ends once, by one answer, and that nothing changes afterwards.
    private func inspect(request place: Int) async throws {
        guard let row = try await row(of: requests[place]) else { return }
        if let receipt = row.receipt { requests[place].receipts.insert(receipt) }
        let seen = requests[place]
        try world.require(seen.receipts.count <= 1, "\(seen.requestID) was answered twice")
        try world.require((row.answerHash == nil) == (row.receipt == nil), "an answer without a receipt")
        if let end = seen.end, !seen.isBeforeRestore {
            try world.require(row.state == end, "\(seen.requestID) was \(end), and is \(row.state)")
        }
        if row.state != .pending {
            if seen.end == nil { world.tally.count("end.\(row.state)") }
            requests[place].end = row.state
        }
    }

    /// Checks how a flow ended.
    func judge(_ run: FlowRun, of place: Int, _ request: Int, _ decision: WalkDecision) async throws {
        world.tally.count("flow.\(run.word.prefix { $0 != "(" && $0 != ":" })")
        try countFailures(run, place, requests[request])
        let (asked, device) = (requests[request], devices[place])
        let row = try await row(of: asked)
        switch run.end {
        case .succeeded(.approvalAnswered(let answered)):
            requests[request].receipts.insert(answered.receipt.bytes)
            try world.require(answered.id == asked.id, "the receipt of another request")
            try world.require(
                row?.device == device.id && row?.receipt == answered.receipt.bytes,
                "a receipt that the platform has not stored")
            try world.require(
                row?.state == (answered.decision == .approved ? .approved : .rejected), "another decision is stored")
        case .outdated(.approvalExpired):
            try world.require(
                asked.isBeforeRestore || world.time.now() >= asked.expiresAt.advanced(seconds: -Self.clockError),
                "a request expires early")
        case .outdated(.approvalAnswered): try world.require(row?.answerHash != nil, "answered, without an answer")
        case .outdated(.approvalReplaced): try world.require(row?.state == .replaced, "not replaced: \(state(row))")
        case .outdated(.approvalCanceled): try world.require(row?.state == .canceled, "not canceled: \(state(row))")
        case .outdated(.approvalUnknown):
            // The maintenance removes a row some time after the platform has stopped to know it.
            let isKept = row.map { world.time.now() < $0.keptUntil } ?? false
            try world.require(!isKept, "unknown, and stored as \(state(row))")
        case .aborted(.wrongNumber):
            try world.require(row?.state == .wrongNumber && row?.device == device.id, "no wrong number: \(state(row))")
        case .aborted(.methodRefused):
            try world.require(row?.state == .methodRefused && row?.device == device.id, "no weak method: \(state(row))")
        case .aborted(.undecided): try world.require(decision == .none, "a decision was lost")
        case .aborted(.canceled), .aborted(.superseded), .left: break
        case .aborted(.userLocked):
            try world.require(devices[place].failures == PINPolicy.default.tries, "an honest device is locked")
        // A restored platform refuses what it may have answered before the loss.
        case .refused(4) where world.time.now() < refusesUntil: break
        case .threw(let error as OrchestrationError):
            try world.require([.transport, .invalidAnswer].contains(error.code), "a flow has thrown \(error)")
        case .threw: break
        default: throw world.failure("the flow of an approval ends: \(run.word)")
        }
    }

    /// The error of the clock that a delayed answer can cause, in seconds.
    private static let clockError: Int64 = 10

    /// Counts the wrong passwords that the platform has reported.
    private func countFailures(_ run: FlowRun, _ place: Int, _ asked: AskedApproval) throws {
        for case .wrongPassword(let remaining) in run.rejections {
            devices[place].failures += 1
            world.tally.count("wrong password")
            try world.require(
                remaining == PINPolicy.default.tries - devices[place].failures,
                "\(String(describing: remaining)) tries are left after \(devices[place].failures)")
        }
        switch run.end {
        case .aborted(.userLocked): devices[place].failures += 1
        case .succeeded(.approvalAnswered(let answered)) where answered.statement.verifiedMethod == .password:
            devices[place].failures = 0
        case .aborted(.wrongNumber): devices[place].failures = 0
        case .aborted(.methodRefused) where asked.method == .password: devices[place].failures = 0
        default: break
        }
    }

    private func row(of asked: AskedApproval) async throws -> ApprovalRecord? {
        try await world.platformStore.base.read { try $0.approval(asked.id.bytes) }
    }

    private func state(_ row: ApprovalRecord?) -> String { row?.state.rawValue ?? "gone" }
}
