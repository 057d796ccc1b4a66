import Logging
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TrustedIdentity

@testable import Orchestration

/// A platform, a device and a user in one process, for tests of whole flows.
final class Stage: Sendable {
    static let password = "482915"

    let platform: TestPlatform
    let store = MemoryStore()
    let keys: DeterministicDeviceKeys
    let user: ScriptedUser
    /// The device's own clock.
    let time: ManualTimeSource
    let random: SeededRandomSource
    let wire: Wiretap

    /// - Parameters:
    ///   - user: Answers the prompts; types the right password by default.
    ///   - configuration: The platform's.
    ///   - policy: The platform's, instead of that of the configuration.
    ///   - showsNumbers: Whether the site shows numbers.
    ///   - clockOffset: How far the device's clock is ahead of the platform's, in milliseconds.
    init(
        user: ScriptedUser = ScriptedUser(password: Stage.password),
        configuration: PlatformConfiguration = PlatformConfiguration(), policy: Policy? = nil,
        showsNumbers: Bool = false, clockOffset: Int64 = 0
    ) async throws {
        let platform = try await TestPlatform(
            configuration: configuration, policy: policy, showsNumbers: showsNumbers)
        self.platform = platform
        self.user = user
        time =
            clockOffset == 0
            ? platform.time : ManualTimeSource(at: platform.time.now().advanced(milliseconds: clockOffset))
        random = SeededRandomSource(seed: 99)
        keys = DeterministicDeviceKeys(seed: 5)
        wire = Wiretap(platform.transport)
    }

    /// A fresh process of the app on the same store.
    func orchestrator(
        user: ScriptedUser? = nil, transport: (any Transport)? = nil,
        providers: [any UserAuthenticationProvider]? = nil,
        store: (any SecureStore)? = nil, keys: (any DeviceKeyProvider)? = nil,
        deviceData: DeviceDataSettings = DeviceDataSettings()
    ) throws -> Orchestrator {
        var configuration = Configuration(
            salts: try Salts(authenticator: Array(repeating: 1, count: 16), storage: Array(repeating: 2, count: 16)),
            postQuantum: .off)
        configuration.passwordCost = .testing
        configuration.deviceData = deviceData
        return try Orchestrator(
            configuration: configuration, transport: transport ?? wire, providers: providers ?? [user ?? self.user],
            store: store ?? self.store, keys: keys ?? self.keys, time: time, random: random,
            logger: Logger(label: "test"))
    }

    /// Registers and activates alice.
    @discardableResult
    func activate() async throws -> UserInformation {
        let code = try await platform.register("alice")
        return try await orchestrator(user: ScriptedUser(password: Stage.password)).user("alice").activate(with: code)
    }

    /// Moves both clocks.
    func advance(seconds: Int64) {
        platform.time.advance(seconds: seconds)
        if time !== platform.time { time.advance(seconds: seconds) }
    }
}

/// A transport that counts what passes and can be cut or changed.
final class Wiretap: Transport {
    private struct State {
        var sent: [OrchestrationCommand] = []
        var isCut = false
        /// What to do with the answers to come, one after another.
        var tampering: [@Sendable (OrchestrationCommand) async throws -> OrchestrationCommand] = []
    }

    private let base: any Transport
    private let state = Mutex(State())

    init(_ base: any Transport) { self.base = base }

    var sent: [OrchestrationCommand] { state.withLock { $0.sent } }

    /// Whether every command fails from now on.
    func cut(_ isCut: Bool) { state.withLock { $0.isCut = isCut } }

    /// Does something to the answers to come, one after another.
    func tamper(_ acts: (@Sendable (OrchestrationCommand) async throws -> OrchestrationCommand)...) {
        state.withLock { $0.tampering += acts }
    }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let (isCut, act) = state.withLock { state in
            state.sent.append(command)
            return (state.isCut, state.tampering.isEmpty ? nil : state.tampering.removeFirst())
        }
        if isCut { throw OrchestrationError(.transport) }
        let answer = try await base.send(command)
        guard let act else { return answer }
        return try await act(answer)
    }
}

/// The events of a flow in words, until it ends.
func story(_ flow: AsyncThrowingStream<FlowEvent, any Error>) async throws -> [String] {
    var words: [String] = []
    for try await event in flow { words.append(event.word) }
    return words
}

extension FlowEvent {
    /// The event in a word or two.
    var word: String {
        switch self {
        case .stepCompleted(let step): "\(step)"
        case .inputRejected(let rejection): "rejected: \(rejection)"
        case .oneTimePasswordReady: "code"
        case .signatureReady: "signature"
        case .sealReady: "seal"
        case .approvalRequired(let request): "approval: \(request.kind)"
        case .warning(let warning): "warning: \(warning.code)"
        case .enrollmentProgressed(let step): "enrollment \(step)"
        case .succeeded: "succeeded"
        case .outdated(let error): "outdated: \(error.word)"
        case .aborted(let error): "aborted: \(error.word)"
        }
    }
}

extension OrchestrationError {
    /// The code, with the number of a refusal that has no code of its own, and the notice.
    fileprivate var word: String {
        let number = code == .refused ? refusalNumber.map { "(\($0))" } : nil
        return "\(code)\(number ?? "")" + (notice.map { ", notice: \($0.text ?? "-")" } ?? "")
    }
}
