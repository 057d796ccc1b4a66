import ArgumentParser
import CLibrary
import Foundation

/// `load drive`: sends requests over connections that stay open, one at a time on each, and prints what it measured as
/// JSON.
///
/// All connections are served by one thread with poll(2), so that the driver takes little of the processors that the
/// platform uses.
struct Drive: AsyncParsableCommand {
    enum Route: String, ExpressibleByArgument, CaseIterable {
        /// Logins with codes of the application 2. Each connection owns its accounts and uses their codes in order.
        case logins
        /// The codes that were accepted last, once more. Each has to be refused.
        case replays
        /// Logins that wait for an approval, and are announced to the devices. Each connection owns its accounts.
        case announced
        /// `GET /health/live`.
        case health
    }

    @Option(help: "The port of the platform on the loopback interface.") var port: UInt16
    @Option(help: "What is sent.") var route: Route
    @Option(help: "The number of connections.") var connections: Int
    @Option(help: "The time, in seconds.") var seconds = 5.0
    @Option(help: "The requests that are sent in a second, over all connections; as many as are answered by default.")
    var rate: Double?
    @Option(help: "An API key of the scope app-server.") var key = ""
    @Option(help: "The file of load activate.") var codes: String?
    @Option(help: "The number of accounts, chosen at random, whose codes are sent; all by default.") var accounts: Int?
    @Flag(
        help: """
            Waits for a line of standard input before each measurement, and prints the times of its requests in \
            microseconds as a JSON array, until standard input ends.
            """)
    var sliced = false
    @Option(help: "With --sliced, the time at the beginning of each measurement whose requests are not measured.")
    var lead = 0.0
    @Flag(
        help: """
            The server may end at any time after the line "connected". The codes that it has not answered are skipped.
            """)
    var untilClosed = false

    /// What was measured.
    struct Result: Encodable {
        let route: String
        let connections: Int
        let requests: Int
        let perSecond: Double
        let p50Milliseconds: Double
        let p99Milliseconds: Double
        let maximumMilliseconds: Double
        /// Answers that are not the expected one.
        let unexpected: Int
        /// The processor time of the driver for a request.
        let driverMicroseconds: Double
    }

    func run() async throws {
        var prepared = try codes.map { try PreparedCodes(path: $0) } ?? PreparedCodes(accounts: [])
        let all = Array(prepared.accounts.indices)
        let chosen = accounts.map { Array(all.shuffled().prefix($0)) } ?? all
        let plans = (0..<connections).map { index -> RequestPlan in
            switch route {
            case .health: return RequestPlan(repeating: RequestText.get("/health/live"))
            case .announced:
                let own = chosen.filter { $0 % connections == index }
                return RequestPlan(announcing: own.map { prepared.accounts[$0].user }, key: key)
            case .logins, .replays:
                let own = chosen.filter { $0 % connections == index }
                return RequestPlan(own.map { ($0, prepared.accounts[$0]) }, replays: route == .replays, key: key)
            }
        }
        let driver = try PollDriver(port: port, plans: plans, expecting: expected)
        let pause: Duration = rate.map { .seconds(Double(connections) / $0) } ?? .zero
        if sliced { return try measureSlices(driver, pause: pause) }
        if untilClosed { FileHandle.standardOutput.write(Data("connected\n".utf8)) }
        let (begin, used) = (ContinuousClock.now, ProcessTime.now)
        do {
            try driver.run(for: .seconds(seconds), pause: pause)
        } catch is PollDriver.Closed where untilClosed {
            // The answers until then count.
        }
        let elapsed = (ContinuousClock.now - begin) / .seconds(1)
        let cost = ProcessTime.now - used
        if route == .logins, let codes {
            for (index, count) in driver.answered {
                prepared.accounts[index].sent += count
                prepared.accounts[index].accepted = prepared.accounts[index].sent - 1
            }
            for index in driver.unanswered { prepared.accounts[index].sent += 1 }
            try prepared.write(to: codes)
        }
        let times = driver.microseconds.sorted()
        func quantile(_ part: Double) -> Double {
            times.isEmpty ? 0 : Double(times[min(times.count - 1, Int(part * Double(times.count)))]) / 1_000
        }
        let result = Result(
            route: route.rawValue, connections: connections, requests: times.count,
            perSecond: Double(times.count) / elapsed, p50Milliseconds: quantile(0.5), p99Milliseconds: quantile(0.99),
            maximumMilliseconds: quantile(1), unexpected: driver.unexpected,
            driverMicroseconds: cost * 1e6 / Double(max(1, times.count)))
        print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    }

    /// Measures once for each line of standard input.
    private func measureSlices(_ driver: PollDriver, pause: Duration) throws {
        while readLine() != nil {
            if lead > 0 { try driver.run(for: .seconds(lead), pause: pause) }
            driver.dropTimes()
            try driver.run(for: .seconds(seconds), pause: pause)
            guard driver.unexpected == 0 else {
                throw PollDriver.Problem(description: "\(driver.unexpected) answers were not the expected one")
            }
            FileHandle.standardOutput.write(try JSONEncoder().encode(driver.microseconds) + Data("\n".utf8))
        }
    }

    /// A part of the answer that is expected.
    private var expected: String {
        switch route {
        case .health: "\"ok\""
        case .logins: "\"accepted\""
        case .replays: "\"failed\""
        case .announced: "\"pending\""
        }
    }
}

/// The processor time of this process in seconds.
private enum ProcessTime {
    static var now: Double {
        var usage = rusage()
        guard unsafe getrusage(own, &usage) == 0 else { return 0 }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    #if canImport(Glibc)
        private static let own = __rusage_who_t(RUSAGE_SELF.rawValue)
    #else
        private static let own = RUSAGE_SELF
    #endif
}
