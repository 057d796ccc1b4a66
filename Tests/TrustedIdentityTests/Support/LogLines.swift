import Logging
import Synchronization

/// The lines that a logger wrote: level, message and metadata.
final class LogLines: Sendable {
    private let written = Mutex<[String]>([])

    /// The lines, the earliest first.
    var all: [String] { written.withLock { $0 } }

    /// The lines about rows that were changed outside of the platform.
    var alterations: [String] { all.filter { $0.hasPrefix("error a row was changed outside of the platform") } }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            lines.written.withLock { $0.append("\(event.level) \(event.message) \(values)") }
        }
    }
}
