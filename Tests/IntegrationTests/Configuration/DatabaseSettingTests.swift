import Foundation
import TestSupport
import Testing

/// The setting `database` and the data folder next to it, as a user meets them. `Tests/Scripts/postgresql-program` runs
/// the commands against a PostgreSQL server.
@Suite(.enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
struct DatabaseSettingTests {
    private let program = BuiltProgram(name: "trusted-identity")
    private let folder: TemporaryFolder
    private static let database = ["--database", "postgres://role@127.0.0.1:1/platform"]
    private static let opening = [
        ["serve", "--listen", "127.0.0.1:0"], ["key", "list"], ["rekey", "--yes"], ["restored"],
        ["master-key", "rotate"],
    ]
    private static let ofSQLite = [["backup", "/none/backup"], ["check"]]

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ command: [String], _ more: [String] = [], descriptors: [Int: String] = [:]
    ) async throws -> BuiltProgram.Result {
        try await program.run(command + ["--data", folder.path] + more, descriptors: descriptors)
    }

    @Test func `a password in the URI is refused, and not printed`() async throws {
        for command in [["config", "check"], ["config", "show"], ["serve"], ["key", "list"]] {
            let result = try await run(command, ["--database", "postgres://role:secret@127.0.0.1/platform"])
            #expect(result.status == 2 && result.output.isEmpty)
            #expect(result.errors.hasPrefix("--database: the URI has a password: name its place with database-pass"))
            #expect(!result.errors.contains("secret"))
        }
    }

    @Test func `a folder whose data was moved needs the name of the database`() async throws {
        try folder.write([1, 2, 3], to: "platform.sqlite")
        let backup = try folder.write("backup", "")
        try folder.write(Array("db.example:5432, database platform\nmore\n".utf8), to: "migrated")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("migrated"))
        for command in Self.opening + Self.ofSQLite + [["restore", backup]] {
            let result = try await run(command)
            #expect(result.status == 6, "\(command)")
            #expect(
                result.errors == """
                    trusted-identity: the data of the folder \(folder.path) was moved to a database on a server \
                    (db.example:5432, database platform)
                    hint: name it with --database, TRUSTED_IDENTITY_DATABASE, or database in the configuration file

                    """)
        }
        // A note that cannot be read is a note, too.
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file("migrated"))
        let unread = try await run(["key", "list"])
        #expect(unread.status == 6 && unread.errors.contains("was moved to a database on a server\nhint: "))
        #expect(try folder.files() == ["backup", "migrated", "platform.sqlite"])
    }

    #if PostgreSQL
        @Test func `a folder with SQLite is refused next to a database on a server`() async throws {
            try folder.write([1, 2, 3], to: "platform.sqlite")
            for command in Self.opening {
                let result = try await run(command, Self.database)
                #expect(result.status == 6, "\(command)")
                #expect(
                    result.errors.hasPrefix(
                        "trusted-identity: the folder \(folder.path) has platform.sqlite, and the setting database names "
                            + "another database\nhint: trusted-identity migrate moves the data"))
            }
            #expect(try folder.files() == ["platform.sqlite"])
        }

        @Test func `the note of a migration allows the file of SQLite`() async throws {
            try folder.write([1, 2, 3], to: "platform.sqlite")
            try folder.write([], to: "migrated")
            let result = try await run(["key", "list"], Self.database)
            #expect(!result.errors.contains("platform.sqlite") && !result.errors.contains("was moved"))
        }

        @Test func `commands for SQLite name the tools of PostgreSQL`() async throws {
            for (command, tool) in [
                (["backup", folder.file("backup")], "pg_basebackup"), (["check"], "pg_amcheck"),
                (["restore", folder.file("backup")], "trusted-identity restored"),
            ] {
                let result = try await run(command, Self.database)
                #expect(result.status == 2)
                #expect(
                    result.errors.hasPrefix(
                        "trusted-identity: \(command[0]) is for SQLite, and the database is on a PostgreSQL server\n"))
                #expect(result.errors.contains(tool))
            }
            #expect(try folder.files().isEmpty)
        }

        @Test func `a password that cannot be read from its descriptor is an error`() async throws {
            for command in [["config", "check"], ["serve"], ["key", "list"]] {
                let closed = try await run(command, Self.database + ["--database-password", "descriptor:9"])
                #expect(closed.status == 6)
                #expect(
                    closed.errors == """
                        trusted-identity: cannot read the password of the database from descriptor 9: bad file descriptor
                        hint: open it for the program, as with 9<FILE in a shell

                        """)
            }
        }

        @Test(arguments: [
            "", "\n", "secret\nsecret", "secret\n\n", "sec\0ret", String(repeating: "secret", count: 171),
        ])
        func `a malformed password is refused, and not printed`(text: String) async throws {
            let result = try await run(
                ["key", "list"], Self.database + ["--database-password", "descriptor:5"], descriptors: [5: text])
            #expect(result.status == 6)
            #expect(
                result.errors.hasPrefix("trusted-identity: descriptor 5 holds no password of the database\nhint: pass ")
            )
            #expect(!result.errors.contains("secret"))
        }

        @Test func `the settings are shown with the place of the password, which is not read`() async throws {
            let result = try await run(["config", "show"], Self.database + ["--database-password", "descriptor:9"])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains(Self.database[1]) && result.output.contains("descriptor:9"))
        }

        @Test func `a server that does not answer is an error of the data`() async throws {
            for command in [["config", "check"], ["serve", "--listen", "127.0.0.1:0"], ["key", "list"]] {
                let result = try await run(command, Self.database, descriptors: [:])
                #expect(result.status == 6 && result.output.isEmpty, "\(command): \(result.errors)")
                #expect(result.errors.contains("\nhint: check the address, the role and its rights"))
            }
            #expect(try !folder.files().contains("master.key"), "a key is made for an empty database only")
        }
    #else
        @Test func `a build without PostgreSQL refuses the setting, and makes nothing`() async throws {
            for command in Self.opening + Self.ofSQLite + [["config", "check"], ["config", "show"], ["health"]] {
                let result = try await run(command, Self.database)
                #expect(result.status == 2 && result.output.isEmpty, "\(command)")
                #expect(
                    result.errors == """
                        trusted-identity: this build has no PostgreSQL, which the setting database needs
                        hint: swift build --traits PostgreSQL builds the program with it

                        """)
            }
            #expect(try folder.files().isEmpty)
        }
    #endif
}
