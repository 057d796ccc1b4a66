import OrchestrationTesting
import Primitives
import SecureChannel
import TestSupport
import Testing
import TrustedIdentitySQLite
import Wire

@testable import TrustedIdentity

/// Answers at the same time: from two devices, to two platforms on one database.
@Suite struct ApprovalRaceTests {
    static let count = 256

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `of 256 answers at once, from two devices through two platforms, one counts`() async throws {
        let store = try await SQLiteStore(path: folder.file("platform.sqlite"))
        let race = try await Race(on: store)
        #expect(try await race.run() == 1)
        try await store.close()
    }

    @Test func `a store whose last write wins lets several answers count`() async throws {
        let race = try await Race(on: LastWriteStore())
        #expect(try await race.run() > 1)
    }
}

/// Two devices that answer one request again and again, each time with another answer.
private struct Race {
    let platforms: [Platform]
    let commands: [OrchestrationCommand]
    let openers: [@Sendable (OrchestrationCommand) throws -> AnswerMessage]

    init(on store: any PlatformStore) async throws {
        // The account and the devices are made on a platform in memory that shares the rows.
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 6_000), on: store)
        let devices = [try await harness.activate(), try await harness.activate()]
        let report = try await harness.requestLogin()
        var commands: [OrchestrationCommand] = []
        var openers: [@Sendable (OrchestrationCommand) throws -> AnswerMessage] = []
        let approvals = [
            try await devices[0].fetch(report, from: harness), try await devices[1].fetch(report, from: harness),
        ]
        for number in 0..<ApprovalRaceTests.count {
            let device = devices[number % 2]
            // The time makes each answer another one.
            let decision: ApprovalDecision = number.isMultiple(of: 3) ? .rejected(.canceled) : .approved
            let answer = try await device.answer(
                approvals[number % 2], decision, clockError: Int64(-number - 1), with: harness)
            let sent = try await device.seal(.approvalAnswer(answer), proof: .password, to: harness)
            let (keys, address) = (device.platformKeys, device.address)
            commands.append(sent.command)
            openers.append { answer in
                let sealed = try SealedAnswer(decoding: sent.opener.open(answer))
                return try AnswerMessage.verified(
                    sealed.message, keys: keys, type: .approvalAnswer,
                    binding: MessageBinding(device: address, requestID: sent.message.requestID)
                ).message
            }
        }
        self.commands = commands
        self.openers = openers
        platforms = [harness.platform, try await harness.platform(on: store)]
    }

    /// Sends all answers at once.
    ///
    /// - Returns: The number of answers that got a receipt.
    func run() async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for (number, command) in commands.enumerated() {
                let (platform, open) = (platforms[(number / 2) % 2], openers[number])
                group.addTask { try open(await platform.execute(command)).receipt != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
