#if PostgreSQL
    internal import CPostgreSQL
    internal import Primitives
    internal import TrustedIdentity

    /// An error of the server or of libpq.
    struct PostgreSQLFailure: Error, CustomStringConvertible {
        /// The code of the SQL standard and of PostgreSQL, five characters
        /// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>); empty for an error of the connection.
        let state: String
        /// The message of the server in one line, at most 500 characters, without characters that cannot be shown. It
        /// may name a constraint and never a value. It is logged and printed, and a server can send any text before it
        /// has proved its name.
        let message: String
        /// The statement, without its values; nil if there is none.
        let sql: String?

        init(state: String = "", _ message: String, sql: String? = nil) {
            self.state = state
            self.message = DisplayText.replacingRefused(in: String(message.prefix(500))) { _ in "?" }
            self.sql = sql
        }

        /// Creates the error of a result.
        init(_ result: OpaquePointer?, sql: String?) {
            let state = unsafe PQresultErrorField(result, CInt(UInt8(ascii: "C")))
            // The primary message. The detail would contain row values.
            let message = unsafe PQresultErrorField(result, CInt(UInt8(ascii: "M")))
            self.init(
                state: unsafe state.map { unsafe String(cString: $0) } ?? "",
                unsafe message.map { unsafe String(cString: $0) } ?? "the connection ended", sql: sql)
        }

        /// Whether the connection can no longer be used: it was cut, it did not answer in time, or the server ends it.
        var endsConnection: Bool {
            state.isEmpty || state.hasPrefix("08")
                || ["57P01", "57P02", "57P03", "57P04", "57P05", "25P03"].contains(state)
        }

        /// Whether the transaction conflicted with another one, which means the same work can succeed when it is
        /// repeated: a serialization failure, a deadlock, or a row that another transaction inserted under the same
        /// unique key.
        var isConflict: Bool { ["40001", "40P01", "23505"].contains(state) }

        /// The code and the message.
        var description: String {
            "PostgreSQL error \(state.isEmpty ? "without a code" : state): \(message)"
                + (sql.map { " - while executing `\($0)`" } ?? "")
        }
    }

    extension DatabaseError {
        /// Creates the error of a failed opening.
        init(_ error: any Error, at address: PostgreSQLAddress, fileID: String = #fileID, line: Int = #line) {
            switch error {
            case let error as DatabaseError: self = error
            case let error as PostgreSQLFailure where error.state == "42501":
                self.init(
                    .unreachable, "the role lacks a right in the database at \(address): \(error.message)",
                    underlying: error, fileID: fileID, line: line)
            case let error as PostgreSQLFailure:
                self.init(
                    .unreachable, "the database at \(address) cannot be used: \(error.message)",
                    underlying: error, fileID: fileID, line: line)
            default:
                self.init(
                    .unreachable, "the database at \(address) cannot be used", underlying: error, fileID: fileID,
                    line: line)
            }
        }
    }

    extension StoreError {
        /// Creates the error of a failure. The code of the failure determines its kind.
        init(_ failure: PostgreSQLFailure, fileID: String = #fileID, line: Int = #line) {
            let code: Code =
                switch failure.state {
                case "53100": .full
                case "53200": .overloaded
                // A conflict that did not end, or a statement or a lock that took too long.
                case "40001", "40P01", "55P03", "57014": .busy
                case "XX001", "XX002": .corrupt
                // Read-only, a standby, shut down, or out of reach.
                case "0A000", "25006", "25P03", "57P01", "57P02", "57P03", "57P04", "57P05", "58030", "": .inputOutput
                default: failure.state.hasPrefix("08") ? .inputOutput : .other
                }
            self.init(
                code, resultCode: failure.state.isEmpty ? nil : failure.state, underlying: failure, fileID: fileID,
                line: line)
        }
    }
#endif
