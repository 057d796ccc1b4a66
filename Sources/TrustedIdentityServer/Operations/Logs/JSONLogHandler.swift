internal import CLibrary
package import Logging
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A log handler that writes a JSON object for each entry, on one line.
///
/// `time` is in the form of RFC 3339, in UTC with milliseconds. `level`, `logger` and `message` are texts. `metadata`
/// is an object; its values are texts, arrays and objects. Lines of several threads do not mix.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    /// A lock that is taken for each line, because the system writes a long line in parts.
    private static let lines = Mutex(())

    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a handler that writes to standard error.
    package init(label: String) {
        self.init(label: label, now: { Date() }) { line in
            Self.lines.withLock { _ in _ = SystemCall.write(line.span, to: STDERR_FILENO) }
        }
    }

    init(
        label: String, now: @escaping @Sendable () -> Date, write: @escaping @Sendable (_ line: [UInt8]) -> Void
    ) {
        self.label = label
        self.now = now
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let metadataProvider { all.merge(metadataProvider.get()) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        let entry = Entry(
            time: Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(now()), level: event.level.rawValue,
            logger: label, message: "\(event.message)", metadata: all.mapValues(Value.init))
        // An entry of texts can be encoded as JSON.
        guard let line = try? JSONBody.encode(entry) else { return }
        write(line + Array("\n".utf8))
    }

    private struct Entry: Encodable {
        let time: String
        let level: String
        let logger: String
        let message: String
        let metadata: [String: Value]
    }

    private struct Value: Encodable {
        let value: Logger.Metadata.Value

        init(_ value: Logger.Metadata.Value) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .string(let text): try container.encode(text)
            case .stringConvertible(let object): try container.encode("\(object)")
            case .array(let values): try container.encode(values.map(Value.init))
            case .dictionary(let values): try container.encode(values.mapValues(Value.init))
            }
        }
    }
}
