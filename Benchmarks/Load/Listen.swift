import ArgumentParser
import Foundation
import Orchestration
import Synchronization

/// `load listen`: many devices with an open stream each, and logins whose pointers have to arrive on them.
///
/// It prints a line after each part and waits for a line on standard input before the next: `activated`, `open`, and
/// the result. Logins begin at a fixed rate, whether or not the platform answers, so that it can be restarted
/// meanwhile.
struct Listen: AsyncParsableCommand {
    @Option(help: "The address of the platform.") var platform: String
    @Option(help: "An API key of the scope app-server.") var key: String
    @Option(help: "The number of devices.") var streams = 5_000
    @Option(help: "The logins that begin in a second.") var rate = 100.0
    @Option(help: "The time, in seconds.") var seconds = 30.0
    @Option(help: "The longest time to wait for the pointers that have not arrived, in seconds.") var wait = 90.0

    /// What was measured.
    struct Result: Encodable {
        let streams: Int
        /// The logins that the platform has answered.
        let answered: Int
        /// The logins that got no answer, such as those during a restart.
        let unanswered: Int
        /// The answered logins whose pointer did not arrive.
        let lost: Int
        /// From the login to the event on the stream of the device, in milliseconds.
        let toEvent: Quantiles
        /// The streams that were opened after the first of each device.
        let reopened: Int
    }

    /// The streams that are opened in a second. After a restart, all are opened at once.
    private static let opened = 500.0

    func run() async throws {
        let site = Site(url: platform, key: key)
        let phones = try await Phones.activate(streams, at: site).all
        let transport = EventStreams()
        await Self.say("activated")
        let log = DeliveryLog()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let begin = ContinuousClock.now
            for (number, phone) in phones.enumerated() {
                group.addTask {
                    try await Task.sleep(until: begin + .seconds(Double(number) / Self.opened), clock: .continuous)
                    for try await pointer in phone.pointers(over: transport) {
                        log.arrived(pointer.text)
                    }
                }
            }
            while transport.openCount < phones.count {
                try await Task.sleep(for: .seconds(1))
                report("\(transport.openCount) streams are open")
            }
            await Self.say("open")
            let first = transport.openedCount
            try await post(to: phones, at: site, log)
            let end = ContinuousClock.now + .seconds(wait)
            while log.missing > 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(100)) }
            let result = log.result(streams: phones.count, reopened: transport.openedCount - first)
            print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
            group.cancelAll()
        }
    }

    /// Begins logins at the rate, each of another user in turn.
    private func post(to phones: [Phones.Phone], at site: Site, _ log: DeliveryLog) async throws {
        let users = phones.map(\.user).shuffled()
        let begin = ContinuousClock.now
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<Int(rate * seconds) {
                try await Task.sleep(until: begin + .seconds(Double(number) / rate), clock: .continuous)
                let user = users[number % users.count]
                group.addTask {
                    let start = ContinuousClock.now
                    do {
                        log.answered(try await site.beginLogin(user), begun: start)
                    } catch {
                        log.failed()
                    }
                }
            }
        }
    }

    /// Prints a line, and waits for one on standard input.
    private static func say(_ text: String) async {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                _ = readLine()
                continuation.resume()
            }
        }
    }
}

/// The logins that were answered, and the pointers that arrived.
private final class DeliveryLog: Sendable {
    private struct State {
        var begun: [String: ContinuousClock.Instant] = [:]
        var arrived: [String: ContinuousClock.Instant] = [:]
        var failures = 0
    }

    private let state = Mutex(State())

    func answered(_ pointer: String, begun: ContinuousClock.Instant) { state.withLock { $0.begun[pointer] = begun } }

    func arrived(_ pointer: String) {
        let now = ContinuousClock.now
        state.withLock { $0.arrived[pointer] = $0.arrived[pointer] ?? now }
    }

    func failed() { state.withLock { $0.failures += 1 } }

    /// The number of answered logins whose pointer has not arrived.
    var missing: Int { state.withLock { state in state.begun.keys.count { state.arrived[$0] == nil } } }

    func result(streams: Int, reopened: Int) -> Listen.Result {
        let (state, missing) = (state.withLock { $0 }, missing)
        return Listen.Result(
            streams: streams, answered: state.begun.count, unanswered: state.failures, lost: missing,
            toEvent: Quantiles(state.begun.compactMap { pointer, begun in state.arrived[pointer].map { $0 - begun } }),
            reopened: reopened)
    }
}
