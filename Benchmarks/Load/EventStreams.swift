import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Orchestration
import Synchronization

/// The streams of notifications of all devices. It counts those that are open.
final class EventStreams: Sendable {
    fileprivate let open = Mutex(0)
    fileprivate let opened = Mutex(0)

    /// The number of streams that are open.
    var openCount: Int { open.withLock { $0 } }
    /// The number of streams that were opened.
    var openedCount: Int { opened.withLock { $0 } }
}

/// The stream of notifications of a device.
struct DeviceStream: NotificationTransport {
    struct Refused: Error {}

    let transport: DeviceTransport
    let streams: EventStreams

    func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "/:")
        let channel = stream.channel.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        var request = transport.request("/v1/notifications/\(channel)")
        request.headers.add(name: "authorization", value: "Bearer \(stream.token)")
        if let id = stream.lastEventID { request.headers.add(name: "last-event-id", value: id) }
        let answer = try await Site.client.execute(request, deadline: .distantFuture)
        guard answer.status == .ok else { throw Refused() }
        streams.opened.withLock { $0 += 1 }
        return EventConnection(answer.body, of: streams)
    }
}

/// One stream. Each event of the platform arrives in a chunk of its own.
private final class EventConnection: NotificationConnection {
    private let signals: AsyncThrowingStream<NotificationStream.Signal, any Error>
    private let reader: Task<Void, Never>
    private let streams: EventStreams

    init(_ body: HTTPClientResponse.Body, of streams: EventStreams) {
        self.streams = streams
        streams.open.withLock { $0 += 1 }
        let (signals, continuation) = AsyncThrowingStream<NotificationStream.Signal, any Error>.makeStream()
        self.signals = signals
        reader = Task {
            var rest = ""
            do {
                for try await chunk in body {
                    rest += String(buffer: chunk)
                    while let end = rest.firstRange(of: "\n\n") {
                        continuation.yield(Self.signal(of: rest[..<end.lowerBound]))
                        rest.removeSubrange(..<end.upperBound)
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    deinit {
        reader.cancel()
        streams.open.withLock { $0 -= 1 }
    }

    func next() async throws -> NotificationStream.Signal? {
        var iterator = signals.makeAsyncIterator()
        return try await iterator.next()
    }

    private static func signal(of event: Substring) -> NotificationStream.Signal {
        func field(_ name: String) -> String? {
            let line = event.split(separator: "\n").first { $0.hasPrefix(name + ": ") }
            return line.map { String($0.dropFirst(name.count + 2)) }
        }
        guard let data = field("data"), let command = try? OrchestrationCommand(text: data) else { return .heartbeat }
        return .pointer(command, eventID: field("id"))
    }
}
