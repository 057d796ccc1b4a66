internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/remove(_:of:domain:everywhere:)``.
///
/// On this device alone, the order is: remove from the record, delete the keys, inform the platform. The method cannot
/// be used from the first step on.
///
/// On all devices, the order is: ask for the password, remove at the platform, remove from the record, delete the keys.
/// The method cannot be used from the second step on. After an interruption, this device learns of the removal like
/// every other device.
struct MethodRemovalFlow: Flow {
    static let kind = FlowKind("methodRemoval")

    private let method: AuthenticationMethod
    private let everywhere: Bool
    private let session: ChannelSession

    init(
        _ parameters: MethodFlowParameters, account: AccountName, orchestrator: Orchestrator
    ) throws(OrchestrationError) {
        guard parameters.method.isEnrollable else { throw OrchestrationError(.invalidConfiguration) }
        method = parameters.method
        everywhere = parameters.everywhere
        session = ChannelSession(account: account, orchestrator: orchestrator)
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        everywhere ? try await removeEverywhere(events) : try await removeHere()
    }

    private var account: AccountName { session.account }
    private var environment: FlowEnvironment { session.environment }

    /// Deletes the keys of the method, and the keys of interrupted enrollments.
    ///
    /// - Parameter record: The record without the method. It names a key that was enrolled meanwhile, which stays.
    private func deleteKeys(of record: UserRecord) async throws {
        let name = environment.vault.name(for: account)
        let kept = record.enrolledKey(of: method)?.handle
        for provider in environment.methods where provider.method == method {
            do {
                try await ProviderCall.run { try await provider.deleteKeys(of: name, except: kept) }
            } catch let error as UserAuthenticationError {
                throw OrchestrationError(.storeUnavailable, underlying: error)
            }
        }
    }

    private func completed(_ reply: ChannelReply) -> FlowEvent {
        .stepCompleted(FlowStep(kind: Self.kind, number: 1, total: 1, command: reply.command))
    }
}

// On this device.
extension MethodRemovalFlow {
    private func removeHere() async throws -> [FlowEvent] {
        guard try await environment.vault.record(account) != nil else { throw OrchestrationError(.notActivated) }
        let method = method
        // The removal is also allowed for a locked user, because it removes rights and grants none.
        let record = try await environment.vault.update(account) { record in
            record.removeMethod(method)
            return record
        }
        try await deleteKeys(of: record)
        return try await inform(of: record) + [.succeeded(.methodRemoved(UserInformation(record)))]
    }

    private func inform(of stored: UserRecord) async throws -> [FlowEvent] {
        let method = method
        let reply: ChannelReply
        do {
            reply = try await session.exchange { record in
                guard record.deviceID == stored.deviceID else { throw OrchestrationError(.notActivated) }
                return .methodRemove(method)
            }
        } catch {
            guard let error = OrchestrationError.leavingTheSDK(error) as? OrchestrationError else { throw error }
            return [.warning(Warning(.methodRemovalNotConfirmed, cause: error))]
        }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted: return [completed(reply)] + warnings
        case .refused(let refusal):
            let cause = refusal.error
            return warnings + [.warning(Warning(.methodRemovalNotConfirmed, cause: cause))]
        }
    }
}

// On all devices.
extension MethodRemovalFlow {
    /// Asks for the password until the platform accepts it and ends the registrations.
    private func removeEverywhere(_ events: FlowEvents) async throws -> [FlowEvent] {
        let accepted = try await session.exchangeWithPassword(
            .methodRemove(method, everywhere: true), text: .methodRemoval, events)
        let stored = try await remove(enrolledIn: accepted.record)
        return [completed(accepted.reply)] + accepted.reply.warnings.map(FlowEvent.warning)
            + [.succeeded(.methodRemoved(UserInformation(stored)))]
    }

    /// Removes the keys that the record had when the platform was asked, if it still has them. Keys that another
    /// process has enrolled since then stay.
    private func remove(enrolledIn asked: UserRecord) async throws -> UserRecord {
        let method = method
        let record = try await environment.vault.update(account) { record in
            guard record.deviceID == asked.deviceID else { throw OrchestrationError(.notActivated) }
            if record.enrolledKey(of: method) == asked.enrolledKey(of: method) { record.removeMethod(method) }
            return record
        }
        try await deleteKeys(of: record)
        return record
    }
}
