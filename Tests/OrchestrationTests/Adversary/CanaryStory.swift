import Foundation
import OrchestrationTesting
import Primitives
import TestSupport
import TrustedIdentity

@testable import Orchestration

/// The use of a device on real files, with a record of everything that others than the user may see.
struct CanaryStory {
    static let password = "739154826018"
    static let wrongPassword = "615243908172"
    static let staticPassword = "canary-Static-Pa55word"
    static let user = "canary-user"

    let folder: TemporaryFolder
    let book = LogBook()
    let time = ManualTimeSource()
    let account: AccountName
    let platform: Platform
    let database: SQLiteDatabase
    let transport: WatchedTransport
    let configuration: Configuration
    let deviceKeys: SoftwareDeviceKeys
    let store: FileStore
    /// Records every flow, as for support.
    let recorder = TranscriptRecorder(capacity: 1_000)

    var canaries = Canaries()
    /// All errors and events, printed.
    var printed: [String] = []

    init() async throws {
        folder = try TemporaryFolder()
        account = try AccountName(userID: Self.user, domain: "master")
        for name in ["platform", "device"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        database = try await SQLiteDatabase(path: folder.file("platform/platform.sqlite"))
        let key = SystemRandomSource().bytes(32)
        canaries.add("master key", bytes: key)
        var settings = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000, requestsPerAddress: 60_000)
        settings.passwordHash = .testing
        settings.answerInterval = .zero
        platform = try await Platform(
            configuration: settings, database: database,
            masterKey: MasterKey(id: "k1", bytes: SecretBytes(copying: key)),
            time: time, logger: book.logger("platform"))
        transport = WatchedTransport(platform)
        var configuration = try WalkWorld.configuration(isHybrid: false)
        configuration.deviceData.feeder = CanaryFeeder()
        self.configuration = configuration
        deviceKeys = try SoftwareDeviceKeys(
            directory: URL(filePath: folder.file("device")), salts: configuration.salts)
        store = try FileStore(directory: folder.file("device"))
        canaries.add("password", text: Self.password)
        canaries.add("wrong password", text: Self.wrongPassword)
        canaries.add("static password", text: Self.staticPassword)
        canaries.add("data field", text: "canary-Label")
        canaries.add("data field", text: "canary-Value")
        canaries.add("device data", text: CanaryFeeder.text)
    }

    /// Uses the device, with every kind of refusal.
    mutating func live() async throws {
        try await administer()
        try await activate()
        try await noteKeys("at first")
        try await logIn()
        try await fail()
        try await unlock()
        try await noteKeys("at last")
        note(try await platform.account(account) as Any)
        for entry in try await platform.audit(limit: 1_000) { note(entry) }
    }

    private mutating func administer() async throws {
        let key = try await platform.createAPIKey(scope: .administrator, name: "canary")
        canaries.add("API key", text: String(key.secret.drop { $0 != "." }.dropFirst()))
        note(key)
        _ = try await platform.authenticate(apiKey: key.secret)
        _ = try await platform.authenticate(apiKey: key.id + ".wrong")
        note(try await platform.apiKeys())
    }

    private mutating func activate() async throws {
        let registration = Registration(account: account, staticPassword: Self.staticPassword)
        note(registration)
        let receipt = try await platform.register(registration)
        let code = receipt.activationPassword
        canaries.add("activation password", text: code)
        canaries.add("activation password", text: code.filter { $0 != "-" })
        canaries.add(
            "secret of the activation password", text: String(code.filter { $0 != "-" }.dropFirst(3).prefix(8)))
        note(receipt)
        try await run { $0.activate(Self.user, with: "1111-2222-3333") }
        try await run { $0.activate("nobody", with: code) }
        transport.damageCommands(true)
        try await run { $0.activate(Self.user, with: code) }
        transport.damageCommands(false)
        try await run { $0.activate(Self.user, with: code) }
        try await run { $0.activate(Self.user, with: code) }
        try await run { $0.registerNotifications(for: Self.user) }
    }

    private mutating func logIn() async throws {
        for _ in 0..<3 {
            time.advance(seconds: 400)
            for (application, protection) in [
                (CryptoApplicationIndex.app1, AuthenticationMethod.password), (.app2, .password), (.app1, .possession),
            ] {
                let code = try await code(application, protection)
                let request = LoginRequest(
                    account: account, credential: .oneTimePassword(code, application: application))
                note(request)
                for _ in 0..<2 { _ = try await platform.login(request) }
            }
        }
        let request = LoginRequest(account: account, credential: .staticPassword(Self.staticPassword))
        note(request)
        note(try await platform.login(request))
        for protection in [AuthenticationMethod.password, .possession] { try await sign(protection) }
        try await logInByChallenge()
    }

    private mutating func sign(
        _ protection: AuthenticationMethod, typing password: String = CanaryStory.password
    ) async throws {
        let fields = [DataField(label: "canary-Label", value: "canary-Value")]
        let run = try await run(typing: password) { $0.sign(fields, for: Self.user, protection: protection) }
        guard let made = run.signature else { throw NothingToSteal() }
        canaries.add("signature", text: made.signature)
        if let hostCode = made.hostCode { canaries.add("host code", text: hostCode) }
        let transaction = try LocalTransaction(account: account, fields: fields, signature: made.signature)
        note(transaction)
        for _ in 0..<2 { note(try await platform.validate(transaction).reason) }
    }

    private mutating func logInByChallenge() async throws {
        let challenge = try await platform.generateChallenge(for: account)
        let run = try await run {
            $0.oneTimePassword(for: Self.user, application: .app3, challenge: challenge.digits)
        }
        guard let made = run.code else { throw NothingToSteal() }
        canaries.add("code over a challenge", text: made.oneTimePassword)
        if let hostCode = made.hostCode { canaries.add("host code", text: hostCode) }
        let request = LoginRequest(
            account: account, credential: .challengeResponse(made.oneTimePassword, requestID: challenge.requestID))
        note(request)
        for _ in 0..<2 { note(try await platform.login(request).reason) }
    }

    /// Types wrong passwords until a block, sends damaged commands, and damages the store.
    private mutating func fail() async throws {
        for _ in 0..<7 {
            time.advance(seconds: 31)
            let code = try await code(.app1, .password, typing: Self.wrongPassword)
            note(
                try await platform.login(LoginRequest(account: account, credential: .oneTimePassword(code))))
            note(
                try await platform.login(
                    LoginRequest(account: account, credential: .staticPassword(Self.wrongPassword))))
        }
        do { try await sign(.password, typing: Self.wrongPassword) } catch { note(error) }
        do {
            try await platform.synchronizeAuthenticator(account, codes: (Self.wrongPassword, Self.password))
        } catch { note(error) }
        transport.damageCommands(true)
        try await run { $0.registerNotifications(for: Self.user) }
        transport.damageCommands(false)
        try await run { $0.oneTimePassword(for: Self.user, application: .app4) }
        try await run { $0.oneTimePassword(for: "nobody") }
        try await platform.liftBlocks(of: account)
    }

    /// Sends an unlock code with a typing error, one that is lost, the right one, and the used one.
    private mutating func unlock() async throws {
        let issued = try await platform.issueUnlockCode(for: account)
        let code = issued.code
        canaries.add("unlock code", text: code)
        canaries.add("unlock code", text: code.filter { $0 != "-" })
        canaries.add("secret of the unlock code", text: String(code.filter { $0 != "-" }.dropFirst(3).prefix(8)))
        note(issued)
        try await run { $0.unlock(Self.user, with: "1111-2222-3333") }
        transport.damageCommands(true)
        try await run { $0.unlock(Self.user, with: code) }
        transport.damageCommands(false)
        let unlocked = try await run { $0.unlock(Self.user, with: code) }
        guard case .succeeded = unlocked.end else { throw NothingToSteal() }
        try await run { $0.unlock(Self.user, with: code) }
    }

    private mutating func code(
        _ application: CryptoApplicationIndex, _ protection: AuthenticationMethod,
        typing password: String = CanaryStory.password
    ) async throws -> String {
        let run = try await run(typing: password) {
            $0.oneTimePassword(for: Self.user, application: application, protection: protection)
        }
        guard let made = run.code else { throw NothingToSteal() }
        canaries.add("one-time password", text: made.oneTimePassword)
        if let hostCode = made.hostCode { canaries.add("host code", text: hostCode) }
        return made.oneTimePassword
    }

    /// Runs a flow and records its printed events and errors.
    @discardableResult
    private mutating func run(
        typing password: String = CanaryStory.password,
        _ flow: (Orchestrator) -> AsyncThrowingStream<FlowEvent, any Error>
    ) async throws -> FlowRun {
        let orchestrator = try Orchestrator(
            configuration: configuration, transport: transport, providers: [ScriptedUser(password: password)],
            store: store, keys: deviceKeys, time: time, random: SystemRandomSource(),
            logger: book.logger("client"), recorder: recorder)
        var run = FlowRun(end: .endedEarly)
        do {
            for try await event in flow(orchestrator) {
                note(event)
                if case .oneTimePasswordReady(let code) = event { run.code = code }
                if case .signatureReady(let signature) = event { run.signature = signature }
                if case .succeeded(let outcome) = event { run.end = .succeeded(outcome) }
            }
        } catch {
            note(error)
            run.end = .threw(error)
        }
        return run
    }

    /// Returns the present keys of the device and of both instances.
    private mutating func noteKeys(_ moment: String) async throws {
        let vault = Vault(
            store: store, deviceKeys: deviceKeys, salts: configuration.salts, tenant: "default",
            allowedCosts: [.testing], random: SystemRandomSource())
        let stolen = try await StolenDevice(of: account, from: vault)
        let guess = try await stolen.guess(Self.password)
        for (name, bytes) in [
            ("K₁", guess.candidate), ("pad", guess.pad), ("K₂n", stolen.record.possessionSecret.bytes),
            ("D", stolen.record.ratchet.bytes), ("pre-shared key", stolen.record.presharedKey.bytes),
            ("password secret", stolen.passwordSecret.bytes), ("storage secret", stolen.storageSecret.bytes),
        ] { canaries.add("\(name) \(moment)", bytes: bytes) }
        note(stolen.record)
        note(vault)
    }

    private mutating func note(_ value: Any) { printed.append(Printed.text(value)) }
}

/// A feeder whose data only the platform may read.
private struct CanaryFeeder: DeviceDataFeeder {
    static let text = "canary-Device-5f1b7c"

    func deviceData() async throws -> AppDeviceData { AppDeviceData(isRooted: false, applicationData: Self.text) }
}
