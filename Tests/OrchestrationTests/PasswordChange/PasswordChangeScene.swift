import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// An activated device whose user changes the password.
struct PasswordChangeScene {
    static let newPassword = "739164"

    let stage: Stage
    let account: AccountName

    init() async throws {
        stage = try await Stage()
        account = try AccountName(userID: "alice", domain: "master")
        try await stage.activate()
    }

    /// Returns a user who changes a password.
    static func user(from present: String = Stage.password, to new: String = newPassword) -> ScriptedUser {
        ScriptedUser([.password(present), .password(new), .password(new)])
    }

    /// Runs a whole change and returns its events in words.
    func change(
        _ user: ScriptedUser = user(), transport: (any Transport)? = nil, store: (any SecureStore)? = nil
    ) async throws -> [String] {
        try await story(
            stage.orchestrator(user: user, transport: transport, store: store).changePassword(of: "alice"))
    }

    func record(in store: (any SecureStore)? = nil) async throws -> UserRecord {
        let orchestrator = try stage.orchestrator(store: store)
        return try #require(try await orchestrator.environment.vault.record(account))
    }

    func device() async throws -> DeviceRecord {
        let devices = try await stage.platform.store.read { [name = account.text] in try $0.devices(of: name) }
        return try #require(devices.first)
    }

    /// Returns the decision on a login with a code that a password makes.
    func login(with password: String, store: (any SecureStore)? = nil) async throws -> LoginDecision {
        stage.advance(seconds: 60)
        let app = try stage.orchestrator(user: ScriptedUser([.password(password)]), store: store)
        let code = try await app.user("alice").oneTimePassword(synchronizingWithin: nil)
        return try await stage.platform.login("alice", code: code.oneTimePassword)
    }

    /// Returns which of two passwords logs in. A wrong code does not block the other one.
    func valid(of passwords: [String]) async throws -> [String] {
        var valid: [String] = []
        for password in passwords {
            if try await login(with: password).status == .accepted { valid.append(password) }
            try await stage.platform.platform.liftBlocks(of: account)
        }
        return valid
    }
}

/// A transport that ends the process, or loses the network, at one of the messages and at all later ones.
actor BreakingTransport: Transport {
    enum Break: Sendable, CaseIterable {
        case killedBeforeSending, killedAfterArrival, requestLost, answerLost
    }

    private let base: any Transport
    private let kind: Break
    private let place: Int
    private(set) var sent = 0

    init(_ base: any Transport, _ kind: Break, at place: Int) {
        self.base = base
        self.kind = kind
        self.place = place
    }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        sent += 1
        guard sent >= place else { return try await base.send(command) }
        switch kind {
        case .killedBeforeSending: throw CancellationError()
        case .killedAfterArrival:
            _ = try await base.send(command)
            throw CancellationError()
        case .requestLost: throw OrchestrationError(.transport)
        case .answerLost:
            _ = try await base.send(command)
            throw OrchestrationError(.transport)
        }
    }
}

/// A store whose process ends, or which reports a failure, at one of the writes, before it or after it.
actor BreakingStore: SecureStore {
    private let base: MemoryStore
    private let place: Int
    private let isBefore: Bool
    private let error: any Error
    private(set) var writes = 0

    init(_ base: MemoryStore, at place: Int, isBefore: Bool, error: any Error = CancellationError()) {
        self.base = base
        self.place = place
        self.isBefore = isBefore
        self.error = error
    }

    func names() async throws -> [StoreName] { try await base.names() }

    func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        writes += 1
        if writes == place, isBefore { throw error }
        let result = try await base.update(name, body)
        if writes == place, !isBefore { throw error }
        return result
    }
}
