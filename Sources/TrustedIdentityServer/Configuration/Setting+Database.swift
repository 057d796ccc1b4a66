// The whole of Foundation, because FoundationEssentials has no public percent-decoding.
internal import Foundation

extension Setting {
    /// The URI of a database. No message repeats a value, because it may contain a password by mistake.
    static let database = Setting(
        "database", fields: ["database"], limits: "none, or a URI with postgres:// or postgresql:// and no password",
        help: "the database on a PostgreSQL server; without it, SQLite in the data folder", isSensitive: true
    ) { value, draft in
        guard value != "none" else {
            draft.installation.database = nil
            return nil
        }
        switch DatabaseURI(value) {
        case nil:
            return "this is not the URI of a database: write 'postgres://role@db.example/name', for example"
        case let uri? where uri.hasPassword:
            return "the URI has a password: name its place with database-password, or put it into libpq's password file"
        case _?:
            draft.installation.database = value
            return nil
        }
    } text: {
        $0.installation.database ?? "none"
    }

    /// The place of the password. The message about another form does not repeat the value.
    static let databasePassword = Setting(
        "database-password", fields: ["databasePassword"], limits: "none or descriptor:N",
        help: "the place of the password of the database; with none, libpq's password file is used", isSensitive: true
    ) { value, draft in
        guard value != "none" else {
            draft.installation.databasePassword = nil
            return nil
        }
        guard case .descriptor(let number)? = KeySource(value) else {
            return "this is not the place of a password: use none or descriptor:N. The password itself is never a value"
        }
        draft.installation.databasePassword = number
        return nil
    } text: {
        $0.installation.databasePassword.map { KeySource.descriptor($0).description } ?? "none"
    }
}

/// The parts of a URI of libpq that decide whether it may be a setting.
///
/// libpq reads the rest when it connects: <https://www.postgresql.org/docs/current/libpq-connect.html>, Connection URIs.
private struct DatabaseURI {
    /// Whether the part before the host or a parameter contains a password, or the passphrase of a key.
    let hasPassword: Bool

    /// Creates the parts, or returns nil for a URI of another scheme or with characters that a URI cannot contain.
    init?(_ text: String) {
        guard let prefix = ["postgres://", "postgresql://"].first(where: text.hasPrefix), text.utf8.count <= 2_048,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let rest = text.dropFirst(prefix.count)
        // As libpq does: the user ends at the first @, unless a slash comes before it.
        let end = rest.firstIndex { $0 == "@" || $0 == "/" }.flatMap { rest[$0] == "@" ? $0 : nil }
        var hasPassword = end.map { rest[..<$0].contains(":") } ?? false
        let parameters = rest[(end ?? rest.startIndex)...]
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        for parameter in parameters.flatMap({ $0.split(separator: "&") }) {
            // libpq decodes the names of parameters, too.
            guard let name = parameter.prefix(while: { $0 != "=" }).removingPercentEncoding?.lowercased() else {
                return nil
            }
            if name == "password" || name == "sslpassword" { hasPassword = true }
        }
        self.hasPassword = hasPassword
    }
}
