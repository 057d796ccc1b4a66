import Crypto
import Foundation
import OneTimePassword
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Random edits of single columns by SQL, beside a running platform.
@Suite struct RowEditTests {
    static let edits = 1_000
    static let tables = ["device", "api_key", "approval"]

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `each of 1,000 edits of a row with an HMAC is detected at the next use`() async throws {
        let path = folder.file("platform.sqlite")
        let store = try await SQLiteDatabase(path: path)
        let lines = LogLines()
        let site = try await EditedSite(store: store, lines: lines)
        let database = try SQLiteConnection(path)
        let random = SeededRandomSource(seed: 0x5EED)
        let columns = try Self.tables.flatMap { table in
            try EditedColumn.all(of: table, in: database).map { "\(table).\($0.name)" }
        }
        var tried: [String: Int] = [:]
        var count: Int { tried.values.reduce(0, +) }
        var draws = 0
        // After 1,000 edits, those of the columns that were not drawn, or whose values the schema has refused.
        while count < Self.edits || (draws < 4 * Self.edits && !Set(columns).isSubset(of: tried.keys)) {
            draws += 1
            let missing = count < Self.edits ? nil : columns.first { tried[$0] == nil }?.split(separator: ".")
            let applied = try database.transaction {
                var generator = random.generator()
                let table = missing.map { String($0[0]) } ?? Self.tables.randomElement(using: &generator) ?? "account"
                let edit = try RowEdit(
                    of: table, column: missing.map { String($0[1]) }, in: database, using: &generator)
                // The schema refuses some values by itself.
                return try edit.flatMap { try $0.apply(in: database) ? $0 : nil }
            }
            guard let edit = applied else { continue }
            tried[edit.name, default: 0] += 1
            let logged = lines.alterations.count
            let isServed = try await site.isServed(edit)
            let reading = try await site.read(edit)
            #expect(isServed != true, "\(edit)")
            // A value that the record cannot hold is damage, which the store reports itself.
            #expect(reading == .altered || reading == .damaged, "\(edit)")
            #expect(lines.alterations.count > logged || reading == .damaged, "\(edit)")
            try edit.revert(in: database)
        }
        let isAsBefore = (try await site.logsIn(), try await site.logsInByPassword(), try await site.opensAPI())
        #expect(isAsBefore == (true, true, true))
        let (showsApprovals, asks) = (try await site.showsApprovals(), try await site.asksForApprovals())
        #expect(showsApprovals && asks)
        let logsInByChallenge = try await site.logsInByChallenge()
        #expect(logsInByChallenge)
        #expect(Set(columns).subtracting(tried.keys) == [], "columns that were never edited")
        try database.close()
        try await store.close()
    }
}

/// A platform with an account, an API key, a challenge, three devices, of which one is active, one locked and one
/// revoked, and their credentials, with approval requests that wait, were rejected and were canceled, and with a push
/// that counts.
private struct EditedSite {
    /// The outcome of a read of a row.
    enum Reading: Equatable { case authentic, altered, damaged, missing }

    static let locked = [UInt8](repeating: 0xD1, count: 16)
    static let revoked = [UInt8](repeating: 0xD2, count: 16)
    static let challenge = ChallengeRecord(
        id: [UInt8](repeating: 0xC1, count: 16), account: Harness.alice, principal: "site", challenge: "12345674",
        expiresAt: Timestamp(secondsSinceEpoch: 4_000_000_000))

    let store: SQLiteDatabase
    let platform: Platform
    let time = ManualTimeSource()
    private let key: NewAPIKey
    private let codeKey: SymmetricKey
    private let challengeKey: SymmetricKey
    /// The approval requests as the application server sees them.
    private let approvals: [ApprovalReport]

    init(store: SQLiteDatabase, lines: LogLines) async throws {
        var configuration = PlatformConfiguration(postQuantum: .off)
        configuration.passwordHash = .testing
        configuration.answerInterval = .zero
        self.store = store
        platform = try await Platform(
            configuration: configuration, database: store, masterKey: MasterKey.make(id: "test"), time: time,
            logger: lines.logger)
        _ = try await platform.register(.init(account: Harness.account(), staticPassword: "a horse"))
        key = try await platform.createAPIKey(scope: .applicationServer, name: "shop", domains: ["master"])
        let secrets = DeviceSecrets(
            password: .init(size: .bits256), possession: .init(size: .bits256), channel: .init(size: .bits256),
            methods: [.biometric: .init(size: .bits256)])
        let ratchet = DeviceRatchet(start: .init(size: .bits256))
            .offering(.init(deviceInput: .init(size: .bits256), platformInput: .init(size: .bits256)))
        var active = Fixture.device(.active)
        active.enrolledMethods = [
            EnrolledMethod(
                method: .biometric, protection: .system, key: [UInt8](repeating: 3, count: 33),
                registeredAt: Fixture.now, requestedAt: Fixture.now)
        ]
        // Each index can be edited within what the schema allows.
        active.ratchetIndex = 1
        active.offeredIndex = 2
        active.secrets = try platform.sealer.seal(
            secrets.encoded(), .deviceSecrets, row: active.id, owner: RowOwner(active), revision: 0)
        active.ratchet = try platform.sealer.seal(
            ratchet.encoded(), .deviceRatchet, row: active.id, owner: RowOwner(active), revision: 1)
        var other = active
        other.id = Self.locked
        other.lock(.wrongPassword)
        var lost = active
        lost.id = Self.revoked
        let rows = [active, other, lost]
        try await platform.store.write { store in
            for row in rows { try requireWritten(store.insert(row)) }
            try requireWritten(store.insert(Self.challenge))
        }
        try await platform.revokeDevice(Self.revoked, of: Harness.account())
        let address = DeviceAddress(tenant: "default", account: try Harness.account(), id: active.id)
        codeKey = InstanceKeys.codeKey(
            secret: secrets.password, ratchet: ratchet.confirmed, application: 1, instance: .password, device: address)
        challengeKey = InstanceKeys.codeKey(
            secret: secrets.password, ratchet: ratchet.confirmed, application: 3, instance: .password, device: address)
        approvals = try await Self.requestApprovals(on: platform)
    }

    /// Makes requests that together have a value in each column: one that waits, one after a rejection, and one that
    /// was canceled with a notice.
    private static func requestApprovals(on platform: Platform) async throws -> [ApprovalReport] {
        let display = try DisplayData([.amount(Amount("1000")), .currency(Currency("EUR")), .creditor("ACME")])
        let report = try await platform.requestApproval(
            ApprovalParameters(
                .transaction, of: Harness.account(), display: display, sessionID: "s", requestID: "waits",
                principal: ApprovalPrincipal(id: "site", name: "Shop"), showsNumbers: true,
                risk: RiskInput(source: "browser", fingerprint: "f1")))
        let id = try #require(report.id)
        try await platform.store.write { store in
            var waiting = try #require(try store.approval(id))
            // The clock moves on with each code.
            waiting.expiresAt = Self.challenge.expiresAt
            waiting.keptUntil = Self.challenge.expiresAt
            waiting.refusalNotice = try RefusalNotice(text: "Call us", payload: [4, 5])
            try requireWritten(store.update(waiting))
            var ended = waiting
            ended.refusalNotice = nil
            ended.id = [UInt8](repeating: 0xE1, count: 16)
            (ended.requestID, ended.requestHash) = ("ended", [UInt8](repeating: 0xE2, count: 32))
            (ended.state, ended.reason, ended.number) = (.rejected, .wrongData, nil)
            (ended.openedAt, ended.endedAt) = (waiting.createdAt, waiting.createdAt)
            (ended.device, ended.answerHash) = (Fixture.id, [UInt8](repeating: 0xE3, count: 32))
            (ended.receipt, ended.version) = ([1, 2, 3], 0)
            try requireWritten(store.insert(ended))
            var canceled = waiting
            canceled.refusalNotice = nil
            canceled.id = [UInt8](repeating: 0xE4, count: 16)
            (canceled.requestID, canceled.requestHash) = ("canceled", [UInt8](repeating: 0xE5, count: 32))
            (canceled.state, canceled.number, canceled.endedAt) = (.canceled, nil, waiting.createdAt)
            (canceled.notice, canceled.version) = (try RefusalNotice(text: "Sold out", payload: [1, 2, 3]), 0)
            try requireWritten(store.insert(canceled))
        }
        var reports: [ApprovalReport] = []
        for id in ["waits", "ended", "canceled"] {
            reports.append(try await platform.approval(requestID: id, of: "site"))
        }
        #expect(reports.map(\.status) == [.pending, .refused, .refused] && reports[0].numberToMatch != nil)
        return reports
    }

    /// Returns whether the credential of the row still works; `nil` for the devices that have none.
    func isServed(_ edit: RowEdit) async throws -> Bool? {
        do {
            switch edit.table {
            case "api_key": return try await opensAPI()
            case "approval": return try await showsApprovals()
            default: return edit.oldKey == .blob(Fixture.id) ? try await logsIn() : nil
            }
        } catch let error as PlatformError where [.storeFailed, .alteredRow, .unknownApproval].contains(error.code) {
            return false
        }
    }

    /// Whether the application server sees the requests as before.
    func showsApprovals() async throws -> Bool {
        for report in approvals {
            guard try await platform.approval(requestID: report.requestID, of: "site") == report else { return false }
        }
        return true
    }

    /// Whether the policy decides on a login of the account.
    func asksForApprovals() async throws -> Bool {
        let parameters = try ApprovalParameters(.login, of: Harness.account(), lifetime: .seconds(1))
        return try await platform.requestApproval(parameters).status == .pending
    }

    func logsIn() async throws -> Bool {
        time.advance(milliseconds: 30_000)
        let code = try TOTP(key: OneTimePasswordKey(codeKey), digits: 8).code(at: time.now()).digits
        return try await logsIn(.oneTimePassword(code))
    }

    func logsInByPassword() async throws -> Bool { try await logsIn(.staticPassword("a horse")) }

    func logsInByChallenge() async throws -> Bool {
        let question = SignedQuestion.hash(
            purpose: .challenge, tenant: "default", instance: .password, application: 3,
            challenge: Self.challenge.challenge, counter: nil, fields: [])
        let code = try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(challengeKey))
            .code(for: .init(.hash(question))).digits
        return try await logsIn(.challengeResponse(code, requestID: Hex.encode(Self.challenge.id)), principal: "site")
    }

    func opensAPI() async throws -> Bool {
        try await platform.authenticate(apiKey: key.secret)?.scope == .applicationServer
    }

    private func logsIn(_ credential: LoginRequest.Credential, principal: String = "") async throws -> Bool {
        // Failures of earlier edits do not block.
        try await store.write { store in
            for throttle in try store.throttles(of: Harness.alice) { try store.removeThrottle(throttle.key) }
        }
        let request = try LoginRequest(account: Harness.account(), credential: credential, principal: principal)
        return try await platform.login(request).status == .accepted
    }

    /// Reads the row by the key that it has now.
    func read(_ edit: RowEdit) async throws -> Reading {
        do {
            let isThere = try await platform.store.read { store in
                switch edit.table {
                case "api_key": try store.apiKey(String(stored: edit.newKey) ?? "") != nil
                case "approval":
                    try store.approval([UInt8](stored: edit.newKey) ?? []) != nil
                default: try store.device([UInt8](stored: edit.newKey) ?? []) != nil
                }
            }
            return isThere ? .authentic : .missing
        } catch let error as PlatformError where error.code == .alteredRow {
            return .altered
        } catch let error as PlatformError where error.code == .storeFailed {
            return .damaged
        }
    }
}

/// A column of a table, as the schema declares it.
private struct EditedColumn {
    let name: String
    let type: String
    let isNotNull: Bool

    static func all(of table: String, in database: SQLiteConnection) throws -> [EditedColumn] {
        try database.rows("SELECT name, type, \"notnull\" FROM pragma_table_info('\(table)')").compactMap { row in
            guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
            return EditedColumn(name: name, type: type, isNotNull: row[2] == .integer(1))
        }
    }
}

/// A random change of one column of one row.
private struct RowEdit: CustomStringConvertible {
    let table: String
    let column: String
    let key: String
    let oldKey: SQLValue
    let old: SQLValue
    let new: SQLValue

    var name: String { "\(table).\(column)" }
    var description: String { "\(name): \(old) -> \(new)" }
    var newKey: SQLValue { column == key ? new : oldKey }

    /// Draws a change; `nil` when it draws the value that the column has.
    ///
    /// - Parameter wanted: The column; `nil` to draw it, too.
    init?(
        of table: String, column wanted: String?, in database: SQLiteConnection,
        using generator: inout SeededRandomSource.Generator
    ) throws {
        let all = try EditedColumn.all(of: table, in: database)
        let rows = try database.rows("SELECT \(all.map(\.name).joined(separator: ", ")) FROM \(table)")
            .map { row in Dictionary(uniqueKeysWithValues: zip(all.map(\.name), row)) }
        let columns = all.filter { wanted == nil || $0.name == wanted }
        guard let row = rows.randomElement(using: &generator), let column = columns.randomElement(using: &generator)
        else { return nil }
        self.table = table
        self.column = column.name
        key = "id"
        oldKey = row[key] ?? .null
        old = row[column.name] ?? .null
        new = Self.value(of: column, after: old, key: key, table: table, using: &generator)
        guard new != old else { return nil }
    }

    /// Writes the change. Returns false when the schema refuses it.
    func apply(in database: SQLiteConnection) throws -> Bool {
        do {
            _ = try database.rows("UPDATE \(table) SET \(column) = ? WHERE \(key) = ?", [new, oldKey])
            return true
        } catch let error as SQLiteFailure where error.primaryCode == 19 {
            // SQLITE_CONSTRAINT
            return false
        }
    }

    func revert(in database: SQLiteConnection) throws {
        _ = try database.rows("UPDATE \(table) SET \(column) = ? WHERE \(key) = ?", [old, newKey])
    }

    private static func value(
        of column: EditedColumn, after old: SQLValue, key: String, table: String,
        using generator: inout SeededRandomSource.Generator
    ) -> SQLValue {
        if !column.isNotNull, column.name != key, Int.random(in: 0..<4, using: &generator) == 0 { return .null }
        let number = Int64.random(in: 0..<1 << 40, using: &generator)
        func one(of texts: String...) -> SQLValue {
            .text(texts.randomElement(using: &generator) ?? "")
        }
        switch (column.name, column.type) {
        case ("state", "TEXT") where table == "approval":
            return one(of: "approved", "rejected", "wrongNumber", "methodRefused", "expired", "replaced", "canceled")
        case ("accepted_methods", _): return one(of: "", "0", "0 1", "1 2 3", "9")
        case ("state", "TEXT"): return one(of: "pending", "pendingNotification", "active", "locked", "revoked")
        case ("lock_reason", _): return one(of: "wrongPassword", "cloneSuspected", "restored")
        case ("state_before_lock", _): return one(of: "pending", "pendingNotification", "active")
        case ("scope", _): return one(of: "app-server", "admin", "helpdesk")
        case ("methods", _): return one(of: "", "0", "0 1 2", "7 18446744073709551615")
        case ("challenge", _): return one(of: "0000", "12345675", "1234567890123456")
        case ("account", _): return .text("user\(number)@master")
        case ("is_restored", _): return .integer(.random(in: 0...1, using: &generator))
        case ("suite", _): return .integer(.random(in: 0...255, using: &generator))
        case (_, "INTEGER"):
            let before = if case .integer(let number) = old { number } else { Int64(0) }
            let near = before + (Bool.random(using: &generator) ? 1 : -1)
            return .integer([near, 0, number].randomElement(using: &generator) ?? 0)
        case (_, "BLOB"):
            var bytes = if case .blob(let bytes) = old { bytes } else { [UInt8]() }
            if bytes.isEmpty || Bool.random(using: &generator) {
                bytes = (0..<(bytes.isEmpty ? 32 : bytes.count)).map { _ in .random(in: 0...255, using: &generator) }
            } else {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            return .blob(bytes)
        default: return .text("text \(number)")
        }
    }
}
