internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// Makes the approval request of a seal, for the device that asks for it. It replaces the device's previous one.
struct SealRequestHandler: MessageHandler {
    /// The request; `nil` if the policy accepts no seals.
    let record: ApprovalRecord?
    /// The requests of the device for a seal that wait.
    var replaced: [ApprovalRecord] = []

    func decide(_ request: ServedRequest) -> DeviceDecision {
        guard let record else { return request.refuse(.notPermitted) }
        var decision = request.accept(.sealRequest(id: record.id), event: .approvalRequested)
        decision.reason = record.kind.description
        decision.changedApproval = record.id
        let (replaced, now) = (replaced, request.now)
        decision.write = { store in
            for earlier in replaced {
                try store.end(
                    earlier, as: .replaced, keptUntil: now.advanced(milliseconds: ApprovalRetention.unanswered), at: now
                )
            }
            try requireWritten(store.insert(record))
        }
        return decision
    }
}

extension Platform {
    /// The time for which the approval request of a seal waits, in milliseconds.
    private static let sealLifetime: Int64 = 120_000

    /// Returns the signed approval request of a seal. Its principal is the device, with the device's id and the
    /// tenant's name. It takes more than possession.
    func sealApproval(
        _ message: SealRequestMessage, of device: DeviceRecord, id: [UInt8], now: Timestamp
    ) throws -> ApprovalRecord {
        // The decoding has checked that the data can be displayed.
        guard let display = message.content.display else { throw PlatformError(.internal) }
        let (tenant, name) = (configuration.tenant, Hex.encode(id))
        let principal = try ApprovalPrincipal(id: Hex.encode(device.id), name: tenant)
        let content = ApprovalRequestContent(
            tenant: tenant, account: device.account, id: id, kind: .seal, requestID: name, display: display,
            approvalMethod: message.method, rejectionMethod: .possession, created: now,
            expiry: now.advanced(milliseconds: Self.sealLifetime), principal: principal)
        let signed = try content.signed(with: keys.signingKey(at: now)).encoded
        var record = ApprovalRecord(
            id: id, account: device.account, kind: .seal, principal: principal.id, requestID: name, request: signed,
            requestHash: Array(SHA256.hash(data: signed)), acceptedMethods: [.password, .biometric, .face],
            isAnnounced: false, createdAt: now, expiresAt: content.expiry,
            keptUntil: content.expiry.advanced(milliseconds: ApprovalRetention.unanswered))
        record.device = device.id
        return record
    }
}
