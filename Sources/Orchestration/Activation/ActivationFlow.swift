internal import Primitives
internal import SecureChannel

/// The flow behind ``Orchestrator/activate(_:)``: begins an ``ActivationRun``, or goes on with one that was
/// interrupted, and gives out what it tells.
final class ActivationFlow: Flow {
    /// Gone once the activation has begun: the code is not kept longer than it is needed.
    private var parameters: ActivationParameters?
    private let environment: FlowEnvironment
    private var underWay: (run: ActivationRun, ticket: FlowTicket)?

    init(parameters: ActivationParameters, environment: FlowEnvironment) {
        self.parameters = parameters
        self.environment = environment
    }

    func next() async throws -> FlowEvent {
        guard let (run, ticket) = underWay else {
            if let end = try await begin() { return end }
            return try await next()
        }
        do {
            while run.told.isEmpty {
                guard environment.seats.holds(ticket) else {
                    await run.abandon()
                    return .aborted(.superseded)
                }
                try await run.step()
            }
        } catch {
            await run.abandon()
            throw error
        }
        return run.told.removeFirst()
    }

    /// Finds out what there is to do. Nothing leaves the device before the code has passed its check.
    ///
    /// - Returns: the terminal event when the code is not taken.
    private func begin() async throws -> FlowEvent? {
        guard let parameters else { throw OrchestrationError(.internal) }
        self.parameters = nil
        let account = try environment.account(user: parameters.user, domain: parameters.domain)
        let code: ActivationPassword
        do throws(ActivationPasswordError) {
            code = try ActivationPassword(parsing: parameters.activationPassword.secret)
        } catch {
            return .aborted(.activationPassword(ActivationPasswordRejection(error)))
        }
        let configuration = environment.configuration
        guard try await environment.attempts.permits(handle: code.handle, of: account) else {
            return .aborted(.activationPassword(.triedTooOften))
        }
        let ticket = environment.seats.take(.activation, of: account)
        let run: ActivationRun
        if let interrupted = try await interrupted(account, handle: code.handle) {
            run = ActivationRun(
                account: account, handle: code.handle, machine: interrupted, environment: environment)
        } else {
            let machine = try ActivationMachine(
                code: code, account: account, tenant: configuration.tenant, suites: configuration.suites(),
                description: DeviceDescription(name: configuration.deviceName), random: environment.random)
            run = ActivationRun(account: account, handle: code.handle, machine: machine, environment: environment)
        }
        underWay = (run, ticket)
        return nil
    }

    /// The machine of an activation with this code that was interrupted at step 3 or 4 and can still be finished.
    ///
    /// Another code starts anew: what is pending may be unknown to the platform by now, and no answer that could be
    /// believed would ever say so.
    ///
    /// - Throws: `alreadyActivated`.
    private func interrupted(_ account: AccountName, handle: UInt16) async throws -> ActivationMachine? {
        guard let record = try await environment.vault.record(account) else { return nil }
        let now = environment.doubts.offset(of: account, stored: record.clockOffset).requestTime(
            at: environment.time.now())
        let receipt: [UInt8]?
        switch record.state {
        case .active: throw OrchestrationError(.alreadyActivated)
        case .locked: return nil
        case .pending:
            guard now < record.pendingUntil else { return nil }
            receipt = nil
        // Whatever the time: the platform may have taken step 4 and its answer may have been lost. Then the device is
        // active there, and becomes so here.
        case .passwordProven(let hash): receipt = hash
        }
        guard record.activationHandle == handle else { return nil }
        return ActivationMachine(resumingWith: receipt)
    }
}

extension ActivationPasswordRejection {
    init(_ error: ActivationPasswordError) {
        self =
            switch error.code {
            case .wrongLength: .wrongLength
            case .invalidCharacter: .invalidCharacter(position: error.position ?? 0)
            case .wrongCheckCharacter: .wrongCheckCharacter
            }
    }
}
