import Primitives
import Synchronization
import TestSupport
import TrustedIdentity

/// The statements that the platform runs in SQLite, including savepoints, `BEGIN` and `COMMIT`. Every commit of a
/// writing transaction waits for the disk.
func statementBudgets() {
    let figures = ["Statements", "Commits"]

    Budget.benchmark("budget-sqlite-registration", figures) { budget in
        let (stage, log, _) = try await stageOnSQLite()
        log.clear()
        _ = try await stage.newcomer()
        budget.enter(log)
    }
    Budget.benchmark("budget-sqlite-activation", figures) { budget in
        let (stage, log, _) = try await stageOnSQLite()
        let alice = try await stage.newcomer()
        log.clear()
        try await alice.activate()
        budget.enter(log)
    }
    Budget.benchmark("budget-sqlite-login", figures) { budget in
        let (stage, log, _) = try await stageOnSQLite()
        let alice = try await stage.newcomer()
        try await alice.activate()
        let code = try await alice.makeOneTimePassword()
        log.clear()
        try await logIn(alice, code, on: stage, expecting: .accepted)
        budget.enter(log)
    }
    Budget.benchmark("budget-sqlite-login-refused", figures) { budget in
        let (stage, log, _) = try await stageOnSQLite()
        let alice = try await stage.newcomer()
        try await alice.activate()
        let code = try await alice.makeOneTimePassword()
        try await logIn(alice, code, on: stage, expecting: .accepted)
        log.clear()
        try await logIn(alice, code, on: stage, expecting: .refused)
        budget.enter(log)
    }
    Budget.benchmark("budget-sqlite-login-wrong-code", figures) { budget in
        let (stage, log, _) = try await stageOnSQLite()
        let alice = try await stage.newcomer()
        try await alice.activate()
        log.clear()
        try await logIn(alice, "00000000", on: stage, expecting: .refused)
        budget.enter(log)
    }
    Budget.benchmark("budget-sqlite-login-unknown-user", figures) { budget in
        let (stage, log, _) = try await stageOnSQLite()
        log.clear()
        let unknown = try AccountName(text: "unknown", defaultDomain: "master")
        let decision = try await stage.platform.login(
            LoginRequest(account: unknown, credential: .oneTimePassword("00000000")))
        guard decision.status == .refused else { throw Unexpected("an unknown user is accepted") }
        budget.enter(log)
    }
    Budget.benchmark("budget-sqlite-password-change", figures) { budget in
        let (stage, log, _) = try await stageOnSQLite()
        let alice = try await stage.newcomer(user: Stage.changingUser())
        try await alice.activate()
        log.clear()
        try await alice.changePassword()
        budget.enter(log)
    }
    approvalStatementBudgets()
}

private func logIn(
    _ newcomer: Newcomer, _ code: String, on stage: Stage, expecting status: LoginDecision.Status
) async throws {
    let decision = try await stage.platform.login(
        LoginRequest(account: newcomer.account, credential: .oneTimePassword(code)))
    guard decision.status == status else { throw Unexpected("the login was \(decision.status)") }
}

/// The folder must live as long as the stage.
func stageOnSQLite() async throws -> (Stage, StatementLog, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let log = StatementLog()
    let store = try await SQLiteDatabase(path: folder.file("platform.sqlite")) { log.append($0) }
    return (try await Stage(store: store), log, folder)
}

/// A log of the statements that SQLite ran.
final class StatementLog: Sendable {
    private let statements = Mutex<[String]>([])

    func append(_ sql: String) { statements.withLock { $0.append(sql) } }
    func clear() { statements.withLock { $0 = [] } }

    var all: [String] { statements.withLock { $0 } }
}

extension Budget {
    mutating func enter(_ log: StatementLog) {
        let statements = log.all
        enter("Statements", statements.count)
        // The transaction of a reader is deferred and never waits for the disk.
        enter("Commits", statements.count { $0.hasPrefix("BEGIN IMMEDIATE") })
    }
}
