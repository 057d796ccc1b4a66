import Logging
import Synchronization

/// Keeps everything that is logged, at every level.
final class LogBook: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }
    var count: Int { lines.withLock { $0.count } }

    func logger(_ label: String) -> Logger {
        var logger = Logger(label: label) { _ in Handler(book: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let book: LogBook
        var metadataProvider: Logger.MetadataProvider?
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let own = event.metadata ?? [:]
            book.lines.withLock { $0.append("\(event.level) \(event.message) \(metadata) \(own)") }
        }
    }
}
