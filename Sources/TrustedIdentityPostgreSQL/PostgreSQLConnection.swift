#if PostgreSQL
    internal import CLibrary
    internal import CPostgreSQL
    internal import TrustedIdentity

    /// A connection to a server. One thread at a time may use it. Each wait for an answer ends after ``patience``.
    @safe final class PostgreSQLConnection {
        /// The maximum wait for an answer, in milliseconds. The server ends a statement after 6 seconds.
        static let patience: Int32 = 8_000
        /// The maximum number of prepared statements of a connection. The platform uses fewer.
        private static let statementLimit = 1_000

        /// A server process that serves a connection.
        struct Backend: Sendable {
            let process: String
            /// The start time of the process. Process numbers are reused.
            let start: String
        }

        private let handle: OpaquePointer
        /// The state of the server when the connection was prepared; nil until then.
        var server: ServerState?
        private var statements: [String: String] = [:]

        /// Connects.
        ///
        /// - Throws: ``PostgreSQLFailure`` without a code.
        init(_ address: PostgreSQLAddress) throws(PostgreSQLFailure) {
            let opened = unsafe address.withParameters { names, values in
                unsafe PQconnectdbParams(names, values, 1)
            }
            guard let opened = unsafe opened else { throw PostgreSQLFailure("memory is short") }
            unsafe handle = opened
            guard unsafe PQstatus(opened) == CONNECTION_OK, unsafe PQsetnonblocking(opened, 1) == 0 else {
                throw connectionFailure()
            }
            // Otherwise, a notice of the server would go to standard error.
            _ = unsafe PQsetNoticeReceiver(opened, { _, _ in }, nil)
        }

        deinit { unsafe PQfinish(handle) }

        /// Runs statements without parameters, and returns the rows of the last one as texts.
        @discardableResult
        func execute(_ sql: String) throws(PostgreSQLFailure) -> [[String?]] {
            guard unsafe PQsendQuery(handle, sql) == 1 else { throw connectionFailure() }
            var rows: [[String?]] = []
            try unsafe results(sql) { result in
                let (rowCount, columnCount) = unsafe (PQntuples(result), PQnfields(result))
                rows = (0..<rowCount).map { row in
                    (0..<columnCount).map { column in
                        unsafe PQgetisnull(result, row, column) == 1
                            ? nil : String(cString: PQgetvalue(result, row, column))
                    }
                }
            }
            return rows
        }

        /// Runs a statement, which is parsed at its first use.
        ///
        /// - Parameters:
        ///   - values: The values of its parameters, `$1` first.
        ///   - read: A closure that reads a row. The row is valid until the closure returns.
        /// - Returns: The number of rows that it changed.
        func run(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Void) throws -> Int {
            let parameters = try values.map { value throws(PostgreSQLFailure) in try Parameter(value, sql: sql) }
            let name = try prepare(sql, parameters)
            let isSent = unsafe Self.withPointers(parameters) { pointers, lengths, formats in
                unsafe PQsendQueryPrepared(handle, name, CInt(parameters.count), pointers, lengths, formats, 1) == 1
            }
            guard isSent else { throw connectionFailure() }
            var changed = 0
            var failure: (any Error)?
            try unsafe results(sql) { result in
                changed = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
                let rowCount = unsafe PQntuples(result)
                for row in 0..<rowCount where failure == nil {
                    do {
                        try read(unsafe PostgreSQLRow(result: result, row: row))
                    } catch {
                        failure = error
                    }
                }
            }
            if let failure { throw failure }
            return changed
        }

        /// Ends another connection of the same role.
        ///
        /// - Returns: Whether it has ended.
        func end(_ backend: Backend) throws(PostgreSQLFailure) -> Bool {
            try execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid = \(backend.process) AND backend_start = '\(backend.start)'
                """
            ).isEmpty
        }

        /// Waits for notifications, up to a maximum time.
        ///
        /// - Parameter milliseconds: The maximum wait.
        /// - Returns: The payloads.
        func notifications(within milliseconds: Int32) throws(PostgreSQLFailure) -> [String] {
            // A previous statement may have read some notifications.
            var payloads = queuedNotifications()
            guard payloads.isEmpty else { return payloads }
            if try wait(POLLIN, milliseconds) {
                guard unsafe PQconsumeInput(handle) == 1 else { throw connectionFailure() }
            }
            payloads = queuedNotifications()
            return payloads
        }

        private func queuedNotifications() -> [String] {
            var payloads: [String] = []
            while let notification = unsafe PQnotifies(handle) {
                unsafe payloads.append(String(cString: notification.pointee.extra))
                unsafe PQfreemem(notification)
            }
            return payloads
        }

        private func prepare(_ sql: String, _ parameters: [Parameter]) throws(PostgreSQLFailure) -> String {
            if let name = statements[sql] { return name }
            if statements.count >= Self.statementLimit {
                try execute("DEALLOCATE ALL")
                statements = [:]
            }
            let name = "s\(statements.count)"
            let types = parameters.map(\.type)
            guard unsafe PQsendPrepare(handle, name, sql, CInt(types.count), types) == 1 else {
                throw connectionFailure()
            }
            try unsafe results(sql) { _ in }
            statements[sql] = name
            return name
        }

        /// Waits for the results of what was sent, and gives each to a closure.
        ///
        /// - Throws: The first error of a result, after all were read.
        private func results(_ sql: String, _ body: (OpaquePointer) -> Void) throws(PostgreSQLFailure) {
            let deadline = ContinuousClock.now + .milliseconds(Int(Self.patience))
            var failure: PostgreSQLFailure?
            while true {
                while true {
                    let unsent = unsafe PQflush(handle)
                    guard unsent >= 0 else { throw connectionFailure() }
                    guard unsafe unsent == 1 || PQisBusy(handle) == 1 else { break }
                    let left = deadline - .now
                    let milliseconds = Int32(clamping: left.components.seconds * 1_000 + 1_000)
                    guard left > .zero, try wait(POLLIN | (unsent == 1 ? POLLOUT : 0), milliseconds) else {
                        throw PostgreSQLFailure("the server does not answer", sql: sql)
                    }
                    guard unsafe PQconsumeInput(handle) == 1 else { throw connectionFailure() }
                }
                guard let result = unsafe PQgetResult(handle) else { break }
                switch unsafe PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                    if failure == nil { unsafe body(result) }
                default: failure = unsafe failure ?? PostgreSQLFailure(result, sql: sql)
                }
                unsafe PQclear(result)
            }
            if let failure { throw failure }
        }

        /// Waits until the socket can be read or written.
        ///
        /// - Returns: Whether it can.
        private func wait(_ events: Int32, _ milliseconds: Int32) throws(PostgreSQLFailure) -> Bool {
            var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
            guard descriptor.fd >= 0 else { throw connectionFailure() }
            return unsafe poll(&descriptor, 1, milliseconds) > 0
        }

        private func connectionFailure() -> PostgreSQLFailure {
            let text = unsafe String(cString: PQerrorMessage(handle))
            // libpq's message contains several lines.
            return PostgreSQLFailure(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }
    }

    extension PostgreSQLConnection {
        /// A value as it is sent, in the binary form of its type.
        private struct Parameter {
            /// The number of the type in PostgreSQL's catalog; 0 for the type that the statement implies.
            let type: Oid
            /// nil for NULL.
            let bytes: [UInt8]?

            init(_ value: SQLValue, sql: String) throws(PostgreSQLFailure) {
                switch value {
                case .null: (type, bytes) = (0, nil)
                case .integer(let number):
                    (type, bytes) = (20, (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - 8 * $0)) })
                case .text(let text): (type, bytes) = (25, Array(text.utf8))
                case .blob(let blob): (type, bytes) = (17, blob)
                case .other: throw PostgreSQLFailure(state: "22000", "a value has no type", sql: sql)
                }
            }
        }

        /// Calls a closure with the addresses of parameters, in one buffer.
        private static func withPointers<R>(
            _ parameters: [Parameter],
            _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<CInt>, UnsafePointer<CInt>) -> R
        ) -> R {
            // An empty value needs an address, too, because a missing address means NULL.
            let buffer = parameters.flatMap { $0.bytes ?? [] } as [UInt8] + [0]
            let lengths = parameters.map { CInt($0.bytes?.count ?? 0) } + [0]
            let formats = [CInt](repeating: 1, count: parameters.count + 1)
            return unsafe buffer.withUnsafeBytes { bytes in
                guard let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress else {
                    preconditionFailure("the buffer has a byte")
                }
                var offset = 0
                var pointers: [UnsafePointer<CChar>?] = unsafe parameters.map { parameter in
                    guard let count = parameter.bytes?.count else { return nil }
                    defer { offset += count }
                    return unsafe start + offset
                }
                unsafe pointers.append(nil)
                return unsafe pointers.withUnsafeBufferPointer { pointers in
                    unsafe lengths.withUnsafeBufferPointer { lengths in
                        unsafe formats.withUnsafeBufferPointer { formats in
                            guard let first = pointers.baseAddress, let length = lengths.baseAddress,
                                let format = formats.baseAddress
                            else { preconditionFailure("each has one element at least") }
                            return unsafe body(first, length, format)
                        }
                    }
                }
            }
        }
    }

    /// A row of a result in the binary form of its types.
    @safe struct PostgreSQLRow: SQLRow {
        fileprivate let result: OpaquePointer
        fileprivate let row: CInt

        fileprivate init(result: OpaquePointer, row: CInt) {
            unsafe self.result = result
            self.row = row
        }

        func value(_ column: Int) -> SQLValue {
            let column = CInt(column)
            guard unsafe PQgetisnull(result, row, column) == 0 else { return .null }
            let start = unsafe UnsafeRawPointer(PQgetvalue(result, row, column))
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
            return switch unsafe PQftype(result, column) {
            case 16, 20, 21, 23: unsafe .integer(Self.number(bytes))
            case 25, 1043: unsafe String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .other
            case 17: unsafe .blob(Array(bytes))
            default: .other
            }
        }

        /// Returns a big-endian integer of 1, 2, 4 or 8 bytes.
        private static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
            let unsigned = unsafe bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let unused = 64 - 8 * UInt64(bytes.count)
            return Int64(bitPattern: unsigned << unused) >> Int64(unused)
        }
    }
#endif
