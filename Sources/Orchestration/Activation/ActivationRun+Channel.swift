internal import Crypto
internal import Wire

// Steps 3 and 4, which run on the channel.
extension ActivationRun {
    func prove(_ secret: SymmetricKey) async throws {
        if try await isActive() { return action = .finish(.activated) }
        let session = ChannelSession(account: account, environment: environment)
        let reply = try await session.exchange { _ in
            .activationPassword
        } proof: { _ in
            ChannelProof(instance: .password, method: .password, secret: secret)
        } effect: { record, acceptance in
            // Another process may have gone further meanwhile; there is no way back.
            if record.state == .pending { record.state = .passwordProven(receiptHash: acceptance.receipt) }
        }
        switch reply.result {
        case .accepted(let acceptance):
            tell(3, reply.command, reply.warnings)
            action = machine.proven(receipt: acceptance.receipt)
        case .refused(let refusal):
            refusedDevice = reply.record.deviceID
            action = machine.refused(refusal)
            if case .recall(let rejection?, _) = action { told.append(.inputRejected(rejection)) }
        }
    }

    func complete(_ receipt: [UInt8]) async throws {
        if try await isActive() { return action = .finish(.activated) }
        let session = ChannelSession(account: account, environment: environment)
        let now = environment.time.now()
        let reply = try await session.exchange { _ in
            .activationComplete(receiptHash: receipt)
        } proof: { record in
            ChannelProof(instance: .possession, method: .possession, secret: record.possessionSecret)
        } effect: { record, acceptance in
            guard case .passwordProven = record.state else { return }
            record.state = .active
            record.activatedAt = acceptance.offset.platformTime(at: now)
        }
        switch reply.result {
        case .accepted:
            tell(4, reply.command, reply.warnings)
            action = machine.completed()
        case .refused(let refusal):
            refusedDevice = reply.record.deviceID
            action = machine.refused(refusal)
        }
    }

    /// Whether another process has finished the activation meanwhile.
    func isActive() async throws -> Bool {
        try await environment.vault.record(account)?.state == .active
    }
}
