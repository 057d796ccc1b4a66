import ArgumentParser
import CommandLine
import Orchestration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `watch USER`.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what happens to a user's account on this device, as it happens.",
        discussion: """
            Synchronizes with the platform at once and then regularly, and prints one line for each event; with --json, \
            one object. Ends when it is interrupted, and when the device is no longer of use.
            """)

    @OptionGroup var argument: UserArgument
    @OptionGroup var options: DeviceOptions

    @Option(help: ArgumentHelp("Synchronize every so many seconds, 1 to 3600.", valueName: "seconds"))
    var interval = 60

    mutating func validate() throws {
        guard (1...3_600).contains(interval) else { throw ValidationError("--interval is 1 to 3600 seconds") }
    }

    mutating func run() async throws {
        let alice = try await options.orchestrator().user(argument.user)
        let (events, json, interval) = (alice.accountEvents(), options.json, Duration.seconds(interval))
        let (printed, print) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { print.finish() }
                for try await event in events {
                    try EventReport(event).print(asJSON: json)
                    print.yield()
                }
            }
            group.addTask {
                // The state is printed first, which shows a device that cannot be used.
                for await _ in printed { break }
                while true {
                    try await Self.synchronize(alice)
                    try await Task.sleep(for: interval)
                }
            }
            // The events before a failure are printed, because the group waits for them.
            try await group.next()
        }
    }

    /// Synchronizes. An error that may be temporary is printed.
    private static func synchronize(_ user: UserHandle) async throws {
        do {
            try await user.synchronize()
        } catch let error as OrchestrationError
            where [.transport, .userLocked, .suspended, .rateLimited].contains(error.code)
        {
            ErrorReport(error).print(program: "authenticator")
        }
    }
}

/// An account event, as printed.
private struct EventReport: Encodable {
    private let event: String
    private var state: String?
    private var reason: String?
    private var triesLeft: Int?
    private var notice: String?
    private var deviceID: String?
    /// In seconds since 1970.
    private var time: Int64?

    init(_ event: AccountEvent) {
        switch event {
        case .loaded(let loaded):
            self.event = "loaded"
            state = loaded.word
            reason = loaded.lockReason
        case .triesLeft(let tries):
            self.event = "triesLeft"
            triesLeft = tries
        case .locked(let lock):
            self.event = "locked"
            reason = lock.rawValue
        case .unlocked: self.event = "unlocked"
        case .deleted: self.event = "deleted"
        case .settingsChanged: self.event = "settingsChanged"
        case .passwordChanged: self.event = "passwordChanged"
        case .noticed(let noticed):
            self.event = "noticed"
            notice = "\(noticed.kind)"
            deviceID = noticed.deviceID
            time = Int64(noticed.time.timeIntervalSince1970.rounded(.down))
        }
    }

    func print(asJSON json: Bool) throws {
        let values = [event, state, reason, triesLeft.map { "\($0)" }, notice, deviceID].compactMap(\.self)
        try StandardStream.output.print(self, asJSON: json, else: values.joined(separator: " "))
    }
}

extension AccountState {
    /// The name of the state, without the reason of a lock.
    var word: String {
        switch self {
        case .notProvisioned: "notProvisioned"
        case .pending: "pending"
        case .ready: "ready"
        case .locked: "locked"
        case .deleted: "deleted"
        }
    }

    /// The reason of a lock; `nil` for another state.
    var lockReason: String? {
        if case .locked(let reason) = self { reason.rawValue } else { nil }
    }
}
