#if PostgreSQL
    internal import CLibrary
    internal import CPostgreSQL
    public import TrustedIdentity

    /// The address of a database, and how to connect to it.
    public struct PostgreSQLAddress: Sendable, CustomStringConvertible {
        /// The options of libpq. Of two options with the same name, the later one applies.
        private let options: [(name: String, value: String)]
        /// The host, the port and the database, without the role.
        public let description: String

        /// Reads a URI of libpq: `postgres://role@host:port/database?option=value`.
        ///
        /// TLS verifies the name of the server, except on a Unix socket and on the loopback interface. Other options of
        /// libpq may follow, such as `sslrootcert`, `passfile` and further hosts. With several hosts, the one that
        /// accepts writes is used.
        ///
        /// - Parameters:
        ///   - uri: The URI. It must not contain a password, because command lines and settings files show it.
        ///   - password: The password; `nil` to use libpq's password file, or no password.
        /// - Throws: `DatabaseError` with `address`.
        public init(_ uri: String, password: String? = nil) throws(DatabaseError) {
            guard uri.hasPrefix("postgres://") || uri.hasPrefix("postgresql://") else {
                throw DatabaseError(
                    .address, "the address of the database is no URI: write postgres://role@host/database")
            }
            let given = try Self.parsed(uri)
            guard given["password"] == nil else {
                throw DatabaseError(
                    .address,
                    "the address of the database has a password: put it into libpq's password file or a descriptor")
            }
            guard given["sslpassword"] == nil, given["service"] == nil, given["servicefile"] == nil else {
                throw DatabaseError(
                    .address,
                    "the address of the database has sslpassword or service: name the host and the database in it"
                )
            }
            let defaults = Self.defaults()
            func option(_ name: String) -> String? { given[name] ?? defaults[name] }
            func list(_ name: String) -> [String] {
                (option(name) ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            // libpq uses the host name where an address is empty.
            let (names, addresses) = (list("host"), list("hostaddr"))
            let hosts = (0..<max(names.count, addresses.count, 1)).map { index in
                let address = index < addresses.count ? addresses[index] : ""
                return address.isEmpty ? (index < names.count ? names[index] : "") : address
            }
            var options = [("dbname", uri)]
            if !hosts.allSatisfy(Self.isLocal) {
                guard ["verify-full", nil].contains(given["sslmode"]) else {
                    throw DatabaseError(
                        .address,
                        "the address of the database has another sslmode than verify-full, which a server beyond this machine needs"
                    )
                }
                options.append(("sslmode", "verify-full"))
            }
            if hosts.count > 1, given["target_session_attrs"] == nil {
                options.append(("target_session_attrs", "read-write"))
            }
            if let password { options.append(("password", password)) }
            // These apply to every address, because an attempt to reach an unavailable server must end.
            options += [
                ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
                ("keepalives_interval", "5"), ("keepalives_count", "2"), ("client_encoding", "UTF8"),
                ("gssencmode", "disable"), ("application_name", "trusted-identity"),
            ]
            self.options = options
            let database = option("dbname") ?? "of the role"
            let ports = (option("port") ?? "").split(separator: ",")
            description =
                hosts.enumerated().map { index, host in
                    let port = ports.isEmpty ? "" : ":" + ports[min(index, ports.count - 1)]
                    return (host.isEmpty ? "the local socket" : host) + port
                }.joined(separator: ", ") + ", database " + database
        }

        /// Whether a host is reached by a Unix socket or the loopback interface.
        private static func isLocal(_ host: String) -> Bool {
            host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "::1"].contains(host)
                || isLoopback(host)
        }

        private static func isLoopback(_ host: String) -> Bool {
            let parts = host.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts[0] == "127"
                && parts.allSatisfy { $0.allSatisfy(\.isWholeNumber) && UInt8($0) != nil }
        }

        /// Returns the options that a URI names.
        private static func parsed(_ uri: String) throws(DatabaseError) -> [String: String] {
            var message: UnsafeMutablePointer<CChar>?
            guard let options = unsafe PQconninfoParse(uri, &message) else {
                // The message quotes the URI, which may contain a password by mistake.
                unsafe PQfreemem(message)
                throw DatabaseError(
                    .address, "the address of the database is no URI of libpq: look at its characters and options")
            }
            defer { unsafe PQconninfoFree(options) }
            return unsafe values(options)
        }

        /// Returns the options of the environment.
        private static func defaults() -> [String: String] {
            guard let options = unsafe PQconndefaults() else { return [:] }
            defer { unsafe PQconninfoFree(options) }
            return unsafe values(options)
        }

        private static func values(_ options: UnsafePointer<PQconninfoOption>) -> [String: String] {
            var found: [String: String] = [:]
            var next = unsafe options
            while let keyword = unsafe next.pointee.keyword {
                if let value = unsafe next.pointee.val {
                    unsafe found[String(cString: keyword)] = String(cString: value)
                }
                unsafe next += 1
            }
            return found
        }

        /// Calls a closure with the options as libpq takes them.
        func withParameters<R>(
            _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
        ) -> R {
            // libpq copies them.
            let names = unsafe options.map { unsafe UnsafePointer(strdup($0.name)) }
            let values = unsafe options.map { unsafe UnsafePointer(strdup($0.value)) }
            defer { unsafe (names + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
            let (first, second) = unsafe (names + [nil], values + [nil])
            return unsafe first.withUnsafeBufferPointer { names in
                unsafe second.withUnsafeBufferPointer { values in
                    guard let names = names.baseAddress, let values = values.baseAddress else {
                        preconditionFailure("each has one element at least")
                    }
                    return unsafe body(names, values)
                }
            }
        }
    }
#endif
