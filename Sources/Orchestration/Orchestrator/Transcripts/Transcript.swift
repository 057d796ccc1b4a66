#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A record of one flow for support: its steps, sizes, times and codes.
///
/// It holds no name, password, key, code, text of a user, payload or id of a device or approval request. The
/// correlation id finds the lines of the same flow in the logs of the application server and the platform.
public struct Transcript: Sendable, Hashable, Codable {
    /// An entry of a transcript.
    package struct Entry: Sendable, Hashable, Codable {
        /// The kind of an entry.
        package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// A command was sent. The entry contains its size and time, and the size and time of the answer.
            case exchange
            /// An event of the flow.
            case event
            /// The terminal event, or the error instead of it.
            case end
        }

        /// The time since the start of the flow, in milliseconds.
        package let milliseconds: Int64

        /// The kind of the entry.
        package let kind: Kind

        /// The name of the event or error, for example `transport: unreachable`, with the numbers of the event, if any,
        /// for example `activation 1/4`.
        package let name: String

        /// The size of a command in bytes.
        package let sentBytes: Int?

        /// The size of its answer in bytes; `nil` when none came.
        package let receivedBytes: Int?

        /// The time from the command to its answer or failure, in milliseconds.
        package let duration: Int64?

        /// The correlation id in the platform's reply, if any.
        package let replyCorrelationID: String?
    }

    /// The maximum number of entries. Later ones are counted in ``droppedEntries``, except for the end.
    package static let maximumEntries = 256

    /// The id that the transport sends with each command of the flow: 32 hexadecimal digits, made at random.
    public let correlationID: String

    /// The kind of the flow, for example `activation`; `unknown` when its parameters were refused.
    package internal(set) var flow: String

    /// The time when the flow started, by the clock of the device.
    package let startedAt: Date

    /// The entries, in order. The last one of a flow that has ended is its end.
    package internal(set) var entries: [Entry] = []

    /// The number of entries that were dropped.
    package internal(set) var droppedEntries = 0

    /// The correlation id of the flow that runs in this task; `nil` outside of a flow that is recorded.
    ///
    /// A transport of the app sends it with the command, and other logs then contain it. `HTTPTransport` sends it in
    /// the header `log-correlation-id`.
    public static var currentCorrelationID: String? { TranscriptRun.current?.correlationID }
}

extension Transcript: CustomStringConvertible {
    /// The transcript as text: a line about the flow, and a line for each entry.
    public var description: String {
        let start = startedAt.formatted(Self.timeFormat)
        let heading = "flow \(flow), correlation id \(correlationID), started at \(start)"
        return ([heading] + entries.map(\.line) + (droppedEntries > 0 ? ["\(droppedEntries) entries dropped"] : []))
            .joined(separator: "\n")
    }

    private static var timeFormat: Date.ISO8601FormatStyle { .init(includingFractionalSeconds: true) }

    private enum CodingKeys: CodingKey {
        case correlationID, flow, startedAt, entries, droppedEntries
    }

    /// Reads a transcript as ``encode(to:)`` writes it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        correlationID = try fields.decode(String.self, forKey: .correlationID)
        flow = try fields.decode(String.self, forKey: .flow)
        let text = try fields.decode(String.self, forKey: .startedAt)
        guard let date = try? Date(text, strategy: Self.timeFormat) else {
            throw DecodingError.dataCorruptedError(forKey: .startedAt, in: fields, debugDescription: "not RFC 3339")
        }
        startedAt = date
        entries = try fields.decode([Entry].self, forKey: .entries)
        droppedEntries = try fields.decode(Int.self, forKey: .droppedEntries)
    }

    /// Writes the transcript with its time as in RFC 3339.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(correlationID, forKey: .correlationID)
        try fields.encode(flow, forKey: .flow)
        try fields.encode(startedAt.formatted(Self.timeFormat), forKey: .startedAt)
        try fields.encode(entries, forKey: .entries)
        try fields.encode(droppedEntries, forKey: .droppedEntries)
    }

    init(correlationID: String, flow: String, startedAt: Date) {
        self.correlationID = correlationID
        self.flow = flow
        self.startedAt = startedAt
    }
}

extension Transcript.Entry {
    init(
        milliseconds: Int64, _ kind: Kind, _ name: String, sentBytes: Int? = nil, receivedBytes: Int? = nil,
        duration: Int64? = nil, replyCorrelationID: String? = nil
    ) {
        self.milliseconds = milliseconds
        self.kind = kind
        self.name = name
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
        self.duration = duration
        self.replyCorrelationID = replyCorrelationID
    }

    /// The cells of a table: the time in seconds, the kind, the name, the sizes, the duration and the id of the reply.
    package var cells: [String] {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let fraction = String(repeating: "0", count: 3 - "\(rest.magnitude)".count) + "\(rest.magnitude)"
        return [
            "\(seconds).\(fraction)", kind.rawValue, name, sentBytes.map { "\($0)" } ?? "",
            receivedBytes.map { "\($0)" } ?? "", duration.map { "\($0)" } ?? "", replyCorrelationID ?? "",
        ]
    }

    fileprivate var line: String {
        var text = "\(cells[0]) s  \(kind.rawValue)  \(name)"
        if let sentBytes { text += ", sent \(sentBytes) bytes" }
        if let receivedBytes { text += ", received \(receivedBytes) bytes" }
        if let duration { text += ", \(duration) ms" }
        return text
    }
}
