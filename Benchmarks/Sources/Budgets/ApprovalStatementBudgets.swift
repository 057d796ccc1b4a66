import Orchestration
import OrchestrationProtocol
import Primitives
import TestSupport
import TrustedIdentity

/// The statements of the decisions on approval requests, challenges and local transactions, in SQLite.
func approvalStatementBudgets() {
    statements("budget-sqlite-approval-request") { stage, alice in
        { _ = try await stage.platform.requestApproval(login(alice)) }
    }
    statements("budget-sqlite-approval-request-unknown-user") { stage, _ in
        let unknown = try AccountName(text: "unknown", defaultDomain: "master")
        return { _ = try await stage.platform.requestApproval(ApprovalParameters(.login, of: unknown)) }
    }
    statements("budget-sqlite-approval-status") { stage, alice in
        let report = try await stage.platform.requestApproval(login(alice))
        return { _ = try await stage.platform.approval(requestID: report.requestID) }
    }
    statements("budget-sqlite-approval-cancellation") { stage, alice in
        let report = try await stage.platform.requestApproval(login(alice))
        return { _ = try await stage.platform.cancelApproval(requestID: report.requestID) }
    }
    statements("budget-sqlite-approval-list") { stage, alice in
        _ = try await stage.platform.requestApproval(login(alice))
        return { _ = try await alice.orchestrator.user(alice.account.text).pendingApprovals() }
    }
    statements("budget-sqlite-approval") { stage, alice in
        let report = try await stage.platform.requestApproval(login(alice))
        return { try await alice.decide(on: report) { try await $0.approve(number: report.numberToMatch) } }
    }
    statements("budget-sqlite-rejection") { stage, alice in
        let report = try await stage.platform.requestApproval(login(alice))
        return { try await alice.decide(on: report) { try await $0.reject(.notMe) } }
    }
    statements("budget-sqlite-payment-by-possession") { stage, alice in
        let display = try DisplayData([.amount(Amount("12.50")), .currency(Currency("EUR")), .creditor("Zoe")])
        let report = try await stage.platform.requestApproval(
            ApprovalParameters(.transaction, of: alice.account, display: display))
        return { try await alice.decide(on: report) { try await $0.approve() } }
    }
    statements("budget-sqlite-challenge") { stage, alice in
        { _ = try await stage.platform.generateChallenge(for: alice.account) }
    }
    statements("budget-sqlite-local-transaction") { stage, alice in
        let fields = [DataField(label: "Amount", value: "10.00 EUR")]
        let signature = try await alice.orchestrator.user(alice.account.text).sign(fields, synchronizingWithin: nil)
        let transaction = try LocalTransaction(account: alice.account, fields: fields, signature: signature.signature)
        return {
            let decision = try await stage.platform.validate(transaction)
            guard decision.status == .accepted else { throw Unexpected("a signature is refused") }
        }
    }
}

/// A login with a number.
private func login(_ alice: Newcomer) -> ApprovalParameters {
    ApprovalParameters(.login, of: alice.account, showsNumbers: true)
}

/// Registers the budget of one action.
///
/// - Parameter prepare: Prepares the action, which is counted, for an activated device.
private func statements(
    _ name: String, _ prepare: @escaping @Sendable (Stage, Newcomer) async throws -> () async throws -> Void
) {
    Budget.benchmark(name, ["Statements", "Commits"]) { budget in
        let (stage, log, folder) = try await stageOnSQLite()
        let alice = try await stage.newcomer()
        try await alice.activate()
        let action = try await prepare(stage, alice)
        log.clear()
        try await action()
        budget.enter(log)
        withExtendedLifetime(folder) {}
    }
}
