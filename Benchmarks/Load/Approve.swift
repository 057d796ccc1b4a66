import ArgumentParser
import Foundation
import Orchestration
import Synchronization

/// `load approve`: logins of an application server that wait, each of which a device with an open stream approves.
///
/// The devices work in this process, so that their signatures count in the processor time that the platform shares.
struct Approve: AsyncParsableCommand {
    @Option(help: "The address of the platform.") var platform: String
    @Option(help: "An API key of the scope app-server.") var key: String
    @Option(help: "The number of devices.") var devices = 200
    @Option(help: "The logins that wait at the same time, each of another device.") var concurrency = 200
    @Option(help: "The time, in seconds.") var seconds = 10.0

    /// What was measured. All times are in milliseconds.
    struct Result: Encodable {
        let devices: Int
        let concurrency: Int
        let approvals: Int
        let perSecond: Double
        /// From the login to the event on the stream of the device.
        let toEvent: Quantiles
        /// From the user's approval to the answer to the login.
        let toEnd: Quantiles
        /// From the login to its answer.
        let login: Quantiles
        /// Logins that were not accepted.
        let unexpected: Int
        /// Approvals and streams that failed on the device. The login of such an approval may have been accepted.
        let deviceFailures: Int
    }

    /// The failures of the devices.
    private final class DeviceFailures: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func add(_ text: String) {
            report(text)
            number.withLock { $0 += 1 }
        }
    }

    /// When the pointer of a login arrived, and when the user approved.
    private struct Times: Sendable {
        let event: ContinuousClock.Instant
        let approval: ContinuousClock.Instant
    }

    private struct Latencies: Sendable {
        var toEvent: [Duration] = []
        var toEnd: [Duration] = []
        var login: [Duration] = []
        var unexpected = 0

        mutating func add(_ other: Latencies) {
            toEvent += other.toEvent
            toEnd += other.toEnd
            login += other.login
            unexpected += other.unexpected
        }
    }

    func run() async throws {
        guard (1...devices).contains(concurrency) else {
            throw ValidationError("there are fewer devices than logins at the same time")
        }
        let site = Site(url: platform, key: key)
        let phones = try await Phones.activate(devices, at: site).all
        let streams = EventStreams()
        let failures = DeviceFailures()
        let approvals = phones.map { _ in AsyncStream<Times>.makeStream() }
        let (duration, concurrency) = (Duration.seconds(seconds), concurrency)
        let (latencies, elapsed) = try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, phone) in phones.enumerated() {
                group.addTask {
                    await Self.listen(phone, over: streams, entering: approvals[index].continuation, counting: failures)
                }
            }
            while streams.openCount < phones.count { try await Task.sleep(for: .milliseconds(20)) }
            report("\(phones.count) streams are open")
            let users = zip(phones, approvals).map { ($0.user, $1.stream) }
            _ = try await Self.work(users, concurrency, for: .seconds(1), at: site)
            let begin = ContinuousClock.now
            let latencies = try await Self.work(users, concurrency, for: duration, at: site)
            let elapsed = (ContinuousClock.now - begin) / .seconds(1)
            group.cancelAll()
            return (latencies, elapsed)
        }
        let result = Result(
            devices: devices, concurrency: concurrency, approvals: latencies.login.count,
            perSecond: Double(latencies.login.count) / elapsed, toEvent: Quantiles(latencies.toEvent),
            toEnd: Quantiles(latencies.toEnd), login: Quantiles(latencies.login), unexpected: latencies.unexpected,
            deviceFailures: failures.count)
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }

    /// Approves every login whose pointer arrives on the stream of a device.
    ///
    /// An error ends the approval only. The device goes on with the next login.
    private static func listen(
        _ phone: Phones.Phone, over streams: EventStreams, entering times: AsyncStream<Times>.Continuation,
        counting failures: DeviceFailures
    ) async {
        do {
            for try await pointer in phone.pointers(over: streams) {
                do {
                    try await approve(pointer, on: phone, entering: times)
                } catch {
                    guard !Task.isCancelled else { return }
                    let cause = (error as? OrchestrationError)?.underlying.map { ": \($0)" } ?? ""
                    failures.add("an approval of \(phone.user) fails: \(error)\(cause)")
                }
            }
        } catch {
            if !Task.isCancelled { failures.add("the notifications of \(phone.user) end: \(error)") }
        }
    }

    private static func approve(
        _ pointer: OrchestrationCommand, on phone: Phones.Phone, entering times: AsyncStream<Times>.Continuation
    ) async throws {
        let event = ContinuousClock.now
        let opened = try await phone.device.user(phone.user).execute(pointer)
        guard case .approvalRequest(let request) = opened else { return }
        times.yield(Times(event: event, approval: .now))
        try await request.approve()
    }

    /// Performs logins, each worker with users of its own.
    private static func work(
        _ users: [(name: String, times: AsyncStream<Times>)], _ concurrency: Int, for duration: Duration, at site: Site
    ) async throws -> Latencies {
        let end = ContinuousClock.now + duration
        return try await withThrowingTaskGroup(of: Latencies.self) { group in
            for worker in 0..<concurrency {
                group.addTask {
                    var own = Latencies()
                    var turn = worker
                    while ContinuousClock.now < end {
                        let user = users[turn]
                        turn = turn + concurrency < users.count ? turn + concurrency : worker
                        let start = ContinuousClock.now
                        let reply = try await site.login(user.name)
                        let answer = ContinuousClock.now
                        guard reply.sessionStatus == "accepted",
                            let times = await user.times.first(where: { _ in true })
                        else {
                            report("a login of \(user.name) is not accepted after \(answer - start): \(reply)")
                            own.unexpected += 1
                            continue
                        }
                        own.toEvent.append(times.event - start)
                        own.toEnd.append(answer - times.approval)
                        own.login.append(answer - start)
                    }
                    return own
                }
            }
            var all = Latencies()
            for try await own in group { all.add(own) }
            return all
        }
    }
}
