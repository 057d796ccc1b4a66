internal import Crypto
internal import Logging
internal import Primitives

/// The flow behind ``Orchestrator/authenticateLocally(_:)``.
///
/// The order is: ask, reserve the counter durably, make the code, tell it, move the ratchet, end. The code never waits
/// for the network, and the ratchet is moved as soon as the code is out.
final class OneTimePasswordFlow: Flow {
    private enum Phase {
        case start
        case asking(Asking)
        case made(OneTimePasswordResult, AccountName)
    }

    private struct Asking {
        let account: AccountName
        let application: CryptoApplication
        let method: AuthenticationMethod
        /// As it was when the flow started; fetched again when another activation has taken its place.
        let key: any DeviceKey
    }

    private let parameters: OneTimePasswordParameters
    private let environment: FlowEnvironment
    private var phase = Phase.start
    private var ticket: FlowTicket?
    private var told: [FlowEvent] = []

    init(parameters: OneTimePasswordParameters, environment: FlowEnvironment) {
        self.parameters = parameters
        self.environment = environment
    }

    func next() async throws -> FlowEvent {
        while told.isEmpty {
            if let ticket, !environment.seats.holds(ticket) { return .aborted(.superseded) }
            switch phase {
            case .start: try await start()
            case .asking(let asking): try await make(asking)
            case .made(let result, let account): try await synchronize(result, account)
            }
        }
        return told.removeFirst()
    }

    private func start() async throws {
        let account = try environment.account(user: parameters.user, domain: parameters.domain)
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        let application = try record.application(parameters.application, challenge: parameters.challenge)
        ticket = environment.seats.take(.localAuthentication, of: account)
        switch parameters.protection {
        case .possession, .password: break
        case .biometric, .face:
            // No key of this activation is bound to a biometric rule of the system, so the method would be claimed and
            // not proven (X16). The password is asked instead.
            told.append(.warning(Warning(.fellBackToPassword)))
        }
        let method: AuthenticationMethod = parameters.protection == .possession ? .possession : .password
        phase = .asking(Asking(account: account, application: application, method: method, key: key))
    }

    private func make(_ asking: Asking) async throws {
        var password: SecretBox<Password>?
        if asking.method == .password {
            let prompting = UserPrompting(account: asking.account, environment: environment)
            switch try await prompting.password(.authenticate) {
            case .aborted: return told.append(.aborted(.user))
            case .entered(let entered): password = entered
            }
        }
        // One atomic step takes the counter, the ratchet and the wrap together, so that the code belongs to one state of
        // the record whatever other flows and processes do; and the counter is durable before a code exists (Y12).
        let index = asking.application.index
        let application = asking.application
        let change = try await environment.vault.update(asking.account, expecting: asking.key) { record in
            try record.requireActive()
            return (record, try record.takeCounter(of: application))
        }
        let (record, counter) = change.result
        let secret: SymmetricKey
        if let password {
            secret = try await record.passwordInstance(password, key: change.key)
        } else {
            secret = record.possessionSecret
        }
        let codes = CodeMaker(record: record, application: application, challenge: parameters.challenge)
        let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: environment.time.now())
        let result = try codes.make(secret: secret, method: asking.method, counter: counter, now: now)
        told.append(.oneTimePasswordReady(result))
        phase = .made(result, asking.account)
        environment.logger.debug("one-time password made", metadata: ["application.index": "\(index)"])
    }

    private func synchronize(_ result: OneTimePasswordResult, _ account: AccountName) async throws {
        if case .atMost(let milliseconds) = parameters.synchronization {
            let synchronization = Synchronization(account: account, environment: environment)
            let (events, end) = try await synchronization.run(limit: milliseconds)
            told.append(contentsOf: events)
            if let end { return told.append(.aborted(end)) }
        }
        told.append(.succeeded(.authenticatedLocally(result)))
    }
}
