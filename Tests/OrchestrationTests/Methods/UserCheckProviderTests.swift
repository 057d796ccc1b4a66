import Foundation
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

/// Providers of biometric and face that only ask. The SDK keeps their keys in software.
@Suite struct UserCheckProviderTests {
    @Test(arguments: [AuthenticationMethod.biometric, .face], [true, false])
    func `a provider that only asks enrolls, and counts as its method only where the policy names it`(
        method: AuthenticationMethod, isNamed: Bool
    ) async throws {
        let scene = try await CheckScene(method, isNamed: isNamed)
        #expect(try await scene.enroll() == ["methodRegistration 1/1", "succeeded"])
        #expect(scene.check.prompts.map(\.purpose) == [.enroll])
        #expect(try await scene.device().enrolledMethods.map(\.protection) == [.software])
        let (words, statement) = try await scene.approve()
        #expect(words.last == (isNamed ? "succeeded" : "aborted: methodRefused"))
        #expect(statement?.verifiedMethod == (isNamed ? method : nil))
        #expect(scene.check.prompts.last?.purpose == .authenticate && scene.check.prompts.last?.displayData != nil)
    }

    @Test(arguments: [true, false])
    func `a rejection by the method is one by possession where the policy does not name it`(
        isNamed: Bool
    ) async throws {
        let scene = try await CheckScene(isNamed: isNamed)
        try await scene.enroll()
        let report = try await scene.stage.platform.requestLogin("alice")
        let run = try await ApprovalRun(scene.app().execute(#require(report.pointer))) {
            try await $0.reject(.notMe, by: .biometric)
        }
        let statement = run.answered?.statement
        #expect(statement?.method == .biometric)
        #expect(statement?.verifiedMethod == (isNamed ? .biometric : .possession))
    }

    @Test(arguments: [
        (UserCheck.notRecognized, "aborted: methodFailed"), (.canceled, "aborted: canceled"),
        (.locked, "aborted: methodFailed"),
    ])
    func `an enrollment ends when the check does not recognize the user`(check: UserCheck, end: String) async throws {
        let scene = try await CheckScene()
        scene.check.willAnswer { check }
        #expect(try await scene.enroll() == [end])
        #expect(try scene.keyFiles().isEmpty)
    }

    @Test(arguments: [(UserCheck.notRecognized, FallbackReason.failed), (.locked, .notAvailable)])
    func `an approval falls back to the password, and states why`(
        check: UserCheck, reason: FallbackReason
    ) async throws {
        let scene = try await CheckScene()
        try await scene.enroll()
        scene.check.willAnswer { check }
        let (words, statement) = try await scene.approve()
        #expect(words.contains("warning: fellBackToPassword") && words.last == "succeeded")
        #expect(statement?.verifiedMethod == .password && statement?.fallback == reason)
    }

    @Test func `a user who cancels the check sends nothing`() async throws {
        let scene = try await CheckScene()
        try await scene.enroll()
        scene.check.willAnswer { .canceled }
        #expect(try await scene.approve().words == ["approval 1/2", "approval: login", "aborted: canceled"])
    }

    @Test func `an error of the provider ends the flow, and the enrollment stays`() async throws {
        let scene = try await CheckScene()
        try await scene.enroll()
        scene.check.willAnswer { throw ScriptedMethodKeys.Broken() }
        await #expect(throws: OrchestrationError(.unexpected)) { try await scene.approve() }
        #expect(try await scene.approve().statement?.verifiedMethod == .biometric)
        scene.check.willAnswer { throw ScriptedMethodKeys.Broken() }
        await #expect(throws: OrchestrationError(.unexpected)) { try await scene.enroll() }
        #expect(try await scene.approve().statement?.verifiedMethod == .biometric)
    }

    @Test func `a provider that cannot ask leads to the password`() async throws {
        let scene = try await CheckScene()
        try await scene.enroll()
        scene.check.become(.unavailable)
        #expect(try await scene.approve().statement?.fallback == .notAvailable)
        #expect(scene.check.prompts.count == 1)
        #expect(try await scene.app().enrollableMethods().isEmpty)
        await #expect(throws: OrchestrationError(.providerUnavailable)) { try await scene.enroll() }
    }

    @Test(arguments: [true, false])
    func `a canceled flow does not wait for a check, and what it returns later has no effect`(
        isEnrollment: Bool
    ) async throws {
        let scene = try await CheckScene()
        if !isEnrollment { try await scene.enroll() }
        let question = LateCheck()
        scene.check.willAnswer { await question.answer() }
        let before = try await scene.stage.contents()
        let task = Task {
            if isEnrollment { _ = try await scene.enroll() } else { _ = try await scene.code() }
        }
        while !question.isAsked { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let sent = scene.stage.wire.sent.count
        question.end(with: .recognized)
        await Settling.wait()
        #expect(try await scene.stage.contents() == before)
        #expect(scene.stage.wire.sent.count == sent)
        // The next flow asks anew, and removes what the late call may have left.
        try await scene.enroll()
        #expect(try await scene.approve().statement?.verifiedMethod == .biometric)
        _ = try await story(scene.app().remove(.biometric, of: "alice"))
        #expect(try scene.keyFiles().isEmpty)
    }

    @Test func `the keys are in the folder of the store, and end with the user`() async throws {
        let folder = try TemporaryFolder()
        let scene = try await CheckScene(store: FileStore(directory: folder.path))
        let records = try folder.files()
        try await scene.enroll()
        let keys = try scene.keyFiles(of: folder)
        let mode = try folder.mode(#require(keys.first))
        #expect(keys.count == 1 && mode == 0o600)
        #expect(try await scene.store.names().count == 1)
        // Neither an opening of the store nor a search for orphaned device keys takes them for its own.
        try folder.write([1], to: keys[0] + ".new")
        let store = try FileStore(directory: folder.path)
        OrphanKeyFiles(folder: store.folder).remove()
        #expect(try scene.keyFiles(of: folder) == [keys[0], keys[0] + ".new"])
        #expect(try await scene.app(store: store).users.list().count == 1)
        #expect(try await scene.approve(store: store).statement?.verifiedMethod == .biometric)
        try await scene.app(store: store).user("alice").delete()
        #expect(try scene.keyFiles(of: folder).isEmpty)
        #expect(try Set(folder.files()).isSubset(of: records))
    }

    @Test func `a key file that is damaged or gone ends the check`() async throws {
        let folder = try TemporaryFolder()
        let scene = try await CheckScene(store: FileStore(directory: folder.path))
        try await scene.enroll()
        let file = try #require(try scene.keyFiles(of: folder).first)
        let content = try folder.bytes(file)
        try folder.write(Array(content.dropLast()), to: file)
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await scene.approve() }
        try folder.write(content, to: file)
        #expect(try await scene.approve().statement?.verifiedMethod == .biometric)
        try FileStore(directory: folder.path).folder.remove(file)
        #expect(try await scene.approve().statement?.fallback == .notEnrolled)
    }

    @Test func `keys in a folder that the app names work with each store`() async throws {
        let folder = try TemporaryFolder()
        let stage = try await Stage(policy: MethodScene.policy(.face, fallbacks: [.password], software: true))
        try await stage.activate()
        let store = OwnStore(base: stage.store)
        let keys = try ScriptedCheck(.face).keepingKeys(in: folder.url)
        let app = try stage.orchestrator(providers: [stage.user, keys], store: store)
        #expect(try await app.user("alice").enroll(.face).enrolledMethods == [.face])
        #expect(try folder.files().count == 1)
        #expect(throws: OrchestrationError(.invalidConfiguration)) {
            try ScriptedCheck(.face).keepingKeys(in: #require(URL(string: "https://a.example")))
        }
    }
}

/// Lists of providers.
@Suite struct SortedProvidersTests {
    @Test func `wrong providers are an error that says what is wrong`() async throws {
        let stage = try await Stage()
        let (finger, check) = (ScriptedMethodKeys(.biometric), ScriptedCheck(.biometric))
        let wrong: [(providers: [any UserAuthenticationProvider], fault: String)] = [
            ([finger, finger], "two providers"), ([check, check], "two providers"), ([check, finger], "two providers"),
            ([ScriptedUser([], method: .face)], "its protocol allows"),
            ([ScriptedUser([], method: .biometric)], "its protocol allows"),
            ([ScriptedUser([], method: .possession)], "its protocol allows"),
            ([ScriptedMethodKeys(.biometric, protection: .provider)], "its protocol allows"),
            ([ScriptedMethodKeys(.password)], "its protocol allows"),
            ([ScriptedMethodKeys(.possession)], "its protocol allows"),
            ([ScriptedCheck(.password)], "its protocol allows"), ([ScriptedCheck(.possession)], "its protocol allows"),
            ([NoKind()], "its protocol allows"),
        ]
        for (providers, fault) in wrong {
            let error = #expect(throws: OrchestrationError(.invalidConfiguration)) {
                try stage.orchestrator(providers: [stage.user] + providers)
            }
            #expect(error?.message.contains(fault) == true)
        }
        let error = #expect(throws: OrchestrationError(.invalidConfiguration)) {
            try stage.orchestrator(providers: [check], store: OwnStore(base: stage.store))
        }
        #expect(error?.message.contains("keepingKeys(in:)") == true)
    }

    @Test func `one provider of each method, several of the password, and none are a list`() async throws {
        let stage = try await Stage()
        let lists: [[any UserAuthenticationProvider]] = [
            [], [stage.user, stage.user], [ScriptedCheck(.face), stage.user, ScriptedMethodKeys(.biometric)],
        ]
        for providers in lists {
            #expect(throws: Never.self) { try stage.orchestrator(providers: providers) }
        }
    }

    @Test func `the first provider of the password that is available is asked`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let (first, second) = (ScriptedUser([]), ScriptedUser(password: Stage.password))
        first.setAvailability(.unavailable)
        let app = try stage.orchestrator(providers: [first, second])
        _ = try await app.user("alice").oneTimePassword(synchronizingWithin: nil)
        #expect(first.prompts.isEmpty && second.prompts.count == 1)
    }
}

/// A provider of no kind that an orchestrator knows.
private struct NoKind: UserAuthenticationProvider {
    let method = AuthenticationMethod.password

    func availability() async -> Availability { .available }
}

/// A store of the app's own.
private struct OwnStore: SecureStore {
    let base: any SecureStore

    func names() async throws -> [StoreName] { try await base.names() }
    func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }
    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R { try await base.update(name, body) }
}

/// A check that a script answers. After its end, the user is recognized.
private final class ScriptedCheck: UserCheckProvider {
    private struct Script {
        var answers: [@Sendable () async throws -> UserCheck] = []
        var prompts: [Prompt] = []
        var availability = Availability.available
    }

    let method: AuthenticationMethod
    private let script = Mutex(Script())

    init(_ method: AuthenticationMethod) { self.method = method }

    var prompts: [Prompt] { script.withLock { $0.prompts } }

    func become(_ availability: Availability) { script.withLock { $0.availability = availability } }

    func willAnswer(_ answer: @escaping @Sendable () async throws -> UserCheck) {
        script.withLock { $0.answers.append(answer) }
    }

    func availability() async -> Availability { script.withLock { $0.availability } }

    func check(_ prompt: Prompt) async throws -> UserCheck {
        let answer = script.withLock { script in
            script.prompts.append(prompt)
            return script.answers.isEmpty ? nil : script.answers.removeFirst()
        }
        return try await answer?() ?? .recognized
    }
}

/// A check that does not return before a test ends it, and ignores cancellation.
private final class LateCheck: Sendable {
    private let question = Mutex<CheckedContinuation<UserCheck, Never>?>(nil)

    var isAsked: Bool { question.withLock { $0 != nil } }

    func answer() async -> UserCheck { await withCheckedContinuation { asked in question.withLock { $0 = asked } } }

    func end(with check: UserCheck) { question.withLock { $0.take() }?.resume(returning: check) }
}

/// An activated device with a provider that only asks.
private struct CheckScene {
    let stage: Stage
    let check: ScriptedCheck
    let store: any SecureStore

    init(
        _ method: AuthenticationMethod = .biometric, isNamed: Bool = true, store: (any SecureStore)? = nil
    ) async throws {
        stage = try await Stage(policy: MethodScene.policy(method, fallbacks: [.password], software: isNamed))
        check = ScriptedCheck(method)
        self.store = store ?? stage.store
        let code = try await stage.platform.register("alice")
        try await app().user("alice").activate(with: code)
    }

    func app(store: (any SecureStore)? = nil) throws -> Orchestrator {
        try stage.orchestrator(providers: [check, stage.user], store: store ?? self.store)
    }

    @discardableResult
    func enroll() async throws -> [String] { try await story(app().enroll(check.method, for: "alice")) }

    func code() async throws -> OneTimePasswordResult {
        try await app().user("alice").oneTimePassword(protection: check.method, synchronizingWithin: nil)
    }

    @discardableResult
    func approve(store: (any SecureStore)? = nil) async throws -> (words: [String], statement: VerifiedReceipt?) {
        let report = try await stage.platform.requestLogin("alice")
        let run = try await ApprovalRun(app(store: store).execute(#require(report.pointer))) {
            try await $0.approve()
        }
        return (run.words, run.answered?.statement)
    }

    func device() async throws -> DeviceRecord {
        let devices = try await stage.platform.store.read { try $0.devices(of: "alice@master") }
        return try #require(devices.first)
    }

    /// The files of keys in the memory of the store.
    func keyFiles() throws -> [String] { try stage.store.methodKeyFolder.files().filter { $0.contains(".method") } }

    /// The files of keys in a folder, sorted.
    func keyFiles(of folder: TemporaryFolder) throws -> [String] {
        try folder.files().filter { $0.contains(".method") }
    }
}
