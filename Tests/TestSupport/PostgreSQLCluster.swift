#if PostgreSQL
    internal import Foundation
    internal import Synchronization

    /// A server of PostgreSQL for tests, with a cluster of its own in a temporary folder, on a free port of the loopback
    /// interface. It ends with the process of the tests, without a shutdown.
    ///
    /// Its settings are those of a new cluster, so commits are synced.
    package final class PostgreSQLCluster: Sendable {
        /// How a server is stopped, as `pg_ctl stop -m` names it.
        package enum Shutdown: Sendable {
            /// After the rollback of open transactions.
            case fast
            /// At once. The next start recovers, as after a power failure of the machine.
            case immediate
        }

        /// An error of PostgreSQL's programs, with their output.
        package struct Failure: Error, CustomStringConvertible {
            package let description: String

            package init(description: String) { self.description = description }
        }

        /// The owner of the cluster: a superuser without a password.
        package static let owner = "owner"

        /// Whether the server is installed: the Debian package `postgresql`. Suites that need it are disabled without.
        package static var isInstalled: Bool { programs != nil }

        /// Returns the cluster that the suites of this process share. Those that stop or configure a server make their
        /// own.
        package static func shared() throws -> PostgreSQLCluster { try started.get() }

        private static let started = Result { try PostgreSQLCluster() }

        /// The folder of `initdb` and `postgres`: the highest version of Debian's, or a folder of PATH.
        private static let programs: String? = {
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
            let debian = versions.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return (debian + path.split(separator: ":").map(String.init)).first { folder in
                ["initdb", "postgres", "psql"].allSatisfy {
                    FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
                }
            }
        }()

        /// What `atexit` ends: the processes by their ids, and their folders.
        private static let open = Mutex<[String: pid_t]>([:])

        /// The TCP port, and that of the Unix socket in ``folder``.
        package let port: UInt16
        /// The folder of the cluster, its socket and its log. Its path is short enough for a socket.
        package let folder: String
        private let process = Mutex<ChildProcess?>(nil)
        private let databases = Mutex(0)

        /// Makes a cluster and starts its server.
        package init() throws {
            guard let programs = Self.programs else {
                throw Failure(description: "PostgreSQL is not installed: apt-get install postgresql")
            }
            folder = "/tmp/pg-\(UUID().uuidString.prefix(8).lowercased())"
            port = try Self.freePort()
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            if Self.isRoot {
                try Self.run(["/bin/chown", "postgres:postgres", folder], log: folder + "/programs")
            }
            Self.open.withLock { $0[folder] = 0 }
            _ = Self.cleanup
            try Self.run(
                Self.unprivileged + [
                    "\(programs)/initdb", "-D", folder + "/data", "-A", "trust", "-U", Self.owner, "--locale=C", "-E",
                    "UTF8",
                    "--no-sync",
                ], log: folder + "/programs")
            try start()
        }

        deinit {
            try? stop(.immediate)
            try? FileManager.default.removeItem(atPath: folder)
            Self.open.withLock { _ = $0.removeValue(forKey: folder) }
        }

        /// Starts the server after ``stop(_:)``, and returns when it takes connections.
        package func start() throws {
            guard let programs = Self.programs else { return }
            let server = try ChildProcess.start(
                Self.unprivileged + [
                    "\(programs)/postgres", "-D", folder + "/data", "-k", folder, "-c", "port=\(port)", "-c",
                    "listen_addresses=127.0.0.1", "-c", "max_connections=200",
                ], output: folder + "/log"
            ) { _ in }
            process.withLock { $0 = server }
            Self.open.withLock { $0[folder] = server.number }
            for _ in 0..<3_000 where server.isRunning {
                let state = (try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)) ?? ""
                let lines = state.split(separator: "\n", omittingEmptySubsequences: false)
                // The file of an earlier process stays until the new one writes its own.
                if lines.count >= 8, lines[0] == "\(server.number)", lines[7].hasPrefix("ready") { return }
                usleep(10_000)
            }
            throw Failure(description: "the server does not start: \(log)")
        }

        /// Stops the server, and returns when its process has ended.
        package func stop(_ shutdown: Shutdown) throws {
            guard let server = process.withLock({ $0 }) else { return }
            server.signal(shutdown == .fast ? SIGINT : SIGQUIT)
            for _ in 0..<6_000 {
                guard server.isRunning else {
                    process.withLock { $0 = nil }
                    Self.open.withLock { $0[folder] = 0 }
                    return
                }
                usleep(10_000)
            }
            throw Failure(description: "the server does not stop: \(log)")
        }

        /// Stops the server and starts it again.
        package func restart(_ shutdown: Shutdown = .fast) throws {
            try stop(shutdown)
            try start()
        }

        /// Changes a setting of the server for connections from now on. Some settings need a ``restart(_:)``.
        ///
        /// - Parameter assignment: As in `fsync = off`.
        package func configure(_ assignment: String) throws {
            try query("ALTER SYSTEM SET \(assignment)")
            try query("SELECT pg_reload_conf()")
            // The server reads the file when it gets a signal, and each process of a connection after that.
            usleep(200_000)
        }

        /// Replaces the rules for the authentication of connections over TCP.
        ///
        /// - Parameter method: As in `scram-sha-256`. The Unix socket stays without a password.
        package func authenticate(by method: String) throws {
            try write("data/pg_hba.conf", "local all all trust\nhost all all 127.0.0.1/32 \(method)\n")
            try query("SELECT pg_reload_conf()")
            usleep(200_000)
        }

        /// Writes a file of mode 0600 that the server can read.
        package func write(_ name: String, _ text: String) throws {
            let path = "\(folder)/\(name)"
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            if Self.isRoot { try Self.run(["/bin/chown", "postgres:postgres", path], log: folder + "/programs") }
        }

        /// Makes an empty database.
        package func makeDatabase() throws -> Database {
            let number = databases.withLock { count in
                count += 1
                return count
            }
            try query("CREATE DATABASE test_\(number)")
            return Database(cluster: self, name: "test_\(number)")
        }

        /// Runs statements as the owner, over the Unix socket.
        ///
        /// - Returns: The rows, with `|` between the columns.
        @discardableResult
        package func query(_ sql: String, on database: String = "postgres") throws -> [String] {
            guard let programs = Self.programs else { return [] }
            let output = "\(folder)/\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: output) }
            try Self.run(
                [
                    "\(programs)/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-p", "\(port)",
                    "-U",
                    Self.owner, "-d", database, "-c", sql,
                ], log: output)
            return try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
        }

        private var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

        private static func run(_ command: [String], log: String) throws {
            let status = try ChildProcess.run(command, output: log)
            guard status == 0 else {
                let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw Failure(description: "\(command.joined(separator: " ")): \(status): \(text)")
            }
        }

        private static var isRoot: Bool { geteuid() == 0 }

        /// PostgreSQL does not run as root.
        private static var unprivileged: [String] {
            isRoot ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] : []
        }

        /// Ends the servers and removes the folders of the clusters that are still open at the end of the process.
        private static let cleanup: Void = {
            atexit {
                for (folder, number) in PostgreSQLCluster.open.withLock({ $0 }) {
                    if number > 0 {
                        kill(number, SIGQUIT)
                        // The process is reaped by a thread of `ChildProcess`.
                        for _ in 0..<500 where kill(number, 0) == 0 { usleep(10_000) }
                    }
                    try? FileManager.default.removeItem(atPath: folder)
                }
            }
        }()

        /// Returns a port of the loopback interface that nothing listens on.
        private static func freePort() throws -> UInt16 {
            let descriptor = socket(AF_INET, streamType, 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
                }
            }
            guard status == 0 else { throw Failure(description: "there is no free port") }
            return UInt16(bigEndian: address.sin_port)
        }

        #if canImport(Glibc)
            private static let streamType = CInt(SOCK_STREAM.rawValue)
        #else
            private static let streamType = SOCK_STREAM
        #endif
    }

    extension PostgreSQLCluster {
        /// A database of a test.
        package struct Database: Sendable {
            /// The cluster.
            package let cluster: PostgreSQLCluster
            /// The name.
            package let name: String

            package init(cluster: PostgreSQLCluster, name: String) {
                self.cluster = cluster
                self.name = name
            }

            /// The address as the owner, over TCP.
            package var uri: String { uri() }

            /// Returns an address over TCP without TLS.
            ///
            /// - Parameters:
            ///   - port: The port, such as that of a relay; `nil` for the server's.
            ///   - role: The role; the owner by default.
            package func uri(port: UInt16? = nil, role: String = PostgreSQLCluster.owner) -> String {
                "postgres://\(role)@127.0.0.1:\(port ?? cluster.port)/\(name)?sslmode=disable"
            }

            /// Runs statements as the owner.
            ///
            /// - Returns: The rows, with `|` between the columns.
            @discardableResult
            package func query(_ sql: String) throws -> [String] { try cluster.query(sql, on: name) }

            /// Removes the database with its connections.
            package func remove() throws { try cluster.query("DROP DATABASE \(name) WITH (FORCE)") }
        }
    }
#endif
