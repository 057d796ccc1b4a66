package import Logging

/// The form of a program's log.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// A line of text for each entry.
    case text
    /// A JSON object for each entry, on one line (``JSONLogHandler``).
    case json

    /// Returns a handler that writes to standard error.
    package func handler(label: String) -> any LogHandler {
        switch self {
        case .text: StreamLogHandler.standardError(label: label)
        case .json: JSONLogHandler(label: label)
        }
    }
}
