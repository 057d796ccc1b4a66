import CSQLite
import TestSupport
import Testing

@testable import TrustedIdentity

@Suite struct SQLiteConnectionTests {
    private struct Failure: Error {}

    private let database: SQLiteConnection

    init() throws {
        database = try SQLiteConnection(":memory:")
        try database.execute("CREATE TABLE row (number INTEGER, text TEXT)")
    }

    @Test func `parameters have their numbers, in any order and more than once`() throws {
        let rows = try database.rows("SELECT $2, $1, $2 || $1", [.text("a"), .text("b")])
        #expect(rows == [[.text("b"), .text("a"), .text("ba")]])
    }

    @Test(arguments: [
        SQLValue.null, .integer(.max), .integer(.min), .text(""), .text("a\0b"), .text("\u{1F600}"), .blob([]),
        .blob([0, 1, 255]),
    ])
    func `a value comes back as it was bound`(value: SQLValue) throws {
        #expect(try database.rows("SELECT $1", [value]) == [[value]])
        #expect(try database.rows("SELECT $1 IS $1", [value]) == [[.integer(1)]])
    }

    @Test func `a number above the largest one of SQLite is refused by the schema`() throws {
        try database.execute("CREATE TABLE positive (number INTEGER NOT NULL CHECK (number >= 0))")
        let error = #expect(throws: SQLiteFailure.self) {
            try database.rows("INSERT INTO positive VALUES ($1)", [(UInt64(Int64.max) + 1).stored])
        }
        #expect(error?.primaryCode == SQLITE_CONSTRAINT)
    }

    @Test(arguments: [[], [.integer(1)], [.integer(1), .integer(2), .integer(3)]] as [[SQLValue]])
    func `a statement with another number of values does not run`(values: [SQLValue]) throws {
        let error = #expect(throws: SQLiteFailure.self) { try database.rows("INSERT INTO row VALUES ($1, $2)", values) }
        #expect(error?.code == SQLITE_MISUSE)
        #expect(try database.number("SELECT count(*) FROM row") == 0)
    }

    @Test(arguments: ["", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1;;"])
    func `a text that is not one statement does not run`(sql: String) throws {
        let error = #expect(throws: SQLiteFailure.self) { try database.rows(sql) }
        #expect(error?.code == SQLITE_MISUSE)
    }

    @Test func `a statement that runs while its rows are read is refused, and the outer run goes on`() throws {
        try database.execute("INSERT INTO row VALUES (1, 'a'), (2, 'b')")
        var numbers: [SQLValue] = []
        let statement = try database.statement("SELECT number FROM row WHERE number > ?")
        try statement.run([.integer(0)]) { row in
            numbers.append(row.value(0))
            #expect(throws: SQLiteFailure.self) {
                try database.rows("SELECT number FROM row WHERE number > ?", [.null])
            }
        }
        #expect(numbers == [.integer(1), .integer(2)])
    }

    @Test func `an error names the statement, and none of its values`() throws {
        let error = #expect(throws: SQLiteFailure.self) {
            try database.rows("SELECT missing FROM row WHERE text = ?", [.text("canary")])
        }
        #expect("\(try #require(error))".contains("no such column: missing - while executing `SELECT missing"))
        #expect(!"\(try #require(error))".contains("canary"))
    }

    @Test func `a transaction that throws leaves nothing`() throws {
        #expect(throws: Failure.self) {
            try database.transaction {
                try database.execute("INSERT INTO row VALUES (1, 'a')")
                throw Failure()
            }
        }
        #expect(try database.number("SELECT count(*) FROM row") == 0)
        try database.transaction { try database.execute("INSERT INTO row VALUES (1, 'a')") }
        #expect(try database.number("SELECT count(*) FROM row") == 1)
    }

    @Test func `a closed connection refuses statements`() throws {
        try database.close()
        let error = #expect(throws: SQLiteFailure.self) { try database.number("SELECT 1") }
        #expect(error?.code == SQLITE_MISUSE)
        #expect(!database.isInTransaction && database.changeCount == 0)
    }

    @Test func `a connection that reads makes no file and changes none`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("d.sqlite")
        #expect(throws: SQLiteFailure.self) { try SQLiteConnection(path, .reading) }
        #expect(try folder.files() == [])
        try SQLiteConnection(path).execute("CREATE TABLE row (number INTEGER)")
        let reading = try SQLiteConnection(path, .reading)
        let error = #expect(throws: SQLiteFailure.self) { try reading.execute("DELETE FROM row") }
        #expect(error?.primaryCode == SQLITE_READONLY)
    }

    @Test func `a database of another program is refused and stays as it is`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("other.sqlite")
        try SQLiteConnection(path).execute("CREATE TABLE song (title TEXT); PRAGMA user_version = 1")
        let before = try folder.bytes("other.sqlite")
        let error = await #expect(throws: DatabaseError.self) { try await SQLiteDatabase(path: path) }
        #expect(error?.code == .inaccessible)
        #expect(error?.message.contains("another program") == true)
        #expect(try folder.bytes("other.sqlite") == before)
    }
}
