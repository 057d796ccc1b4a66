public import Orchestration

/// Checks of the contract of ``/Orchestration/NotificationTransport``, for any test library.
///
/// ```swift
/// @Test(arguments: NotificationTransportConformance.checks)
/// func `my streams behave`(_ check: ConformanceCheck<NotificationTransportSubject>) async throws {
///     try await check.run(subject)                       // new for each check
/// }
/// ```
public enum NotificationTransportConformance {
    /// The checks.
    public static let checks: [ConformanceCheck<NotificationTransportSubject>] = [
        ConformanceCheck("pointers arrive unchanged, in order, with their ids") { subject in
            let connection = try await subject.transport.open(subject.stream())
            var sent: [NotificationStream.Signal] = []
            for _ in 0..<3 { sent.append(try await subject.request()) }
            try expect(Set(sent).count == 3, "the platform sends different pointers")
            for (index, signal) in sent.enumerated() {
                try expect(try await nextPointer(connection) == signal, "pointer \(index) as it was sent")
            }
        },
        ConformanceCheck("a heartbeat is a signal") { subject in
            let connection = try await subject.transport.open(subject.stream())
            try await subject.beat()
            try expect(try await connection.next() == .heartbeat, "a heartbeat")
        },
        ConformanceCheck("a stream that the platform ends, ends or throws") { subject in
            let connection = try await subject.transport.open(subject.stream())
            try await subject.end()
            do {
                while let signal = try await connection.next() {
                    try expect(signal == .heartbeat, "nothing but heartbeats before the end")
                }
            } catch let error as ConformanceFailure {
                throw error
            } catch {}
        },
        ConformanceCheck("a stream that the platform refuses throws and opens nothing") { subject in
            let refused = NotificationStream(channel: "pull:00", token: "AAAAAAAAAAAAAAAAAAAAAA")
            do {
                _ = try await subject.refusing.open(refused)
            } catch is CancellationError {
                try expect(false, "an error that is no cancellation")
            } catch {
                return
            }
            try expect(false, "an error for a stream that is refused")
        },
        ConformanceCheck("a wait ends soon after its task is canceled") { subject in
            let connection = try await subject.transport.open(subject.stream())
            let waiting = Task { try await connection.next() }
            waiting.cancel()
            do {
                let signal = try await waiting.value
                try expect(signal == nil || signal == .heartbeat, "no pointer that was not sent")
            } catch is CancellationError {}
        },
    ]

    private static func nextPointer(_ connection: any NotificationConnection) async throws -> NotificationStream.Signal?
    {
        while let signal = try await connection.next() {
            if signal != .heartbeat { return signal }
        }
        return nil
    }
}

/// A transport under test, with the platform's end of its stream.
public struct NotificationTransportSubject: Sendable {
    let transport: any NotificationTransport
    let refusing: any NotificationTransport
    let stream: @Sendable () async throws -> NotificationStream
    let request: @Sendable () async throws -> NotificationStream.Signal
    let beat: @Sendable () async throws -> Void
    let end: @Sendable () async throws -> Void

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - transport: The transport.
    ///   - refusing: The transport, to a platform that refuses the stream.
    ///   - stream: Returns a channel and a token that opens it.
    ///   - request: Makes a new request that the platform announces on the open stream, and returns the signal that
    ///     must arrive.
    ///   - beat: Causes a heartbeat on the open stream.
    ///   - end: Ends the open stream.
    public init(
        transport: any NotificationTransport, refusing: any NotificationTransport,
        stream: @escaping @Sendable () async throws -> NotificationStream,
        request: @escaping @Sendable () async throws -> NotificationStream.Signal,
        beat: @escaping @Sendable () async throws -> Void, end: @escaping @Sendable () async throws -> Void
    ) {
        self.transport = transport
        self.refusing = refusing
        self.stream = stream
        self.request = request
        self.beat = beat
        self.end = end
    }
}
