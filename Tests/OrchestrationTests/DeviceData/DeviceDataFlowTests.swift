import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// Device data on their way to a platform: in full, as a hash, in the ledger, and in a message of their own.
@Suite struct DeviceDataFlowTests {
    private static let account = ActivationExchange.account

    private func sent(_ stage: Stage) async throws -> SentDeviceData {
        try #require(try await stage.orchestrator().environment.vault.record(Self.account)).deviceData
    }

    /// What the platform has.
    private func stored(_ stage: Stage) async throws -> [String: String] {
        let id = try await stage.orchestrator().user("alice").information.deviceID
        let report = try await stage.platform.platform.deviceData(of: [UInt8](hex: id), of: Self.account)
        return Dictionary(uniqueKeysWithValues: (report?.fields ?? []).map { ($0.name, $0.value) })
    }

    private func list(_ app: Orchestrator) async throws {
        _ = try await app.user("alice").pendingApprovals()
    }

    @Test func `the data are sent in full once, then as a hash, in full when they change, and in full after a day`()
        async throws
    {
        let stage = try await Stage()
        try await stage.activate()
        // Step 3 has sent them in full, step 4 as a hash.
        #expect(try await sent(stage).entries.count == 1)
        let feeder = ScriptedFeeder(isRooted: false)
        // The rounded time since the start changes with the clock of the test.
        let app = try stage.orchestrator(
            deviceData: DeviceDataSettings(excludedFields: [.uptime], feeder: feeder))
        try await list(app)
        #expect(try await sent(stage).entries.count == 2)
        #expect(try await stored(stage)["rooted"] == "false")
        for _ in 0..<3 { try await list(app) }
        #expect(try await sent(stage).entries.count == 2)
        feeder.answer { AppDeviceData(isRooted: true) }
        stage.advance(seconds: 60)
        try await list(app)
        #expect(try await sent(stage).entries.count == 3)
        #expect(try await stored(stage)["rooted"] == "true")
        stage.advance(seconds: 86_339)
        try await list(app)
        #expect(try await sent(stage).entries.count == 3)
        stage.advance(seconds: 61)
        try await list(app)
        #expect(try await sent(stage).entries.count == 4)
    }

    @Test func `data whose answer was lost are sent in full again`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator(deviceData: DeviceDataSettings(feeder: ScriptedFeeder(isRooted: true)))
        stage.wire.cut(true)
        await #expect(throws: OrchestrationError.self) { try await list(app) }
        // The sending is in the ledger all the same.
        #expect(try await sent(stage).latest == nil)
        #expect(try await sent(stage).entries.count == 2)
        stage.wire.cut(false)
        try await list(app)
        #expect(try await sent(stage).entries.count == 3)
        #expect(try await sent(stage).latest != nil)
    }

    @Test func `a platform without the data of a hash gets them in full with the next request`() async throws {
        let stage = try await Stage()
        let account = Self.account
        try await stage.activate()
        let app = try stage.orchestrator()
        try await list(app)
        let id = [UInt8](hex: try await app.user("alice").information.deviceID)
        try await stage.platform.store.write { try $0.removeDeviceData(of: id) }
        try await list(app)
        #expect(try await stage.platform.platform.deviceData(of: id, of: account) == nil)
        #expect(try await sent(stage).latest == nil)
        try await list(app)
        #expect(try await stage.platform.platform.deviceData(of: id, of: account) != nil)
        #expect(try await sent(stage).latest != nil)
    }

    @Test func `without device data nothing is sent and nothing is stored`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let app = try stage.orchestrator(deviceData: .off)
        try await app.user("alice").activate(with: code)
        #expect(try await sent(stage) == SentDeviceData())
        #expect(try await stored(stage).isEmpty)
    }

    @Test func `a hashed field never leaves as a value, and its hash differs between two activations`() async throws {
        var hashes: Set<String> = []
        for seed in 0..<2 {
            let stage = try await Stage()
            let code = try await stage.platform.register("alice")
            let settings = DeviceDataSettings(hashedFields: [.system, .rooted], feeder: ScriptedFeeder(isRooted: true))
            let app = try stage.orchestrator(
                keys: DeterministicDeviceKeys(seed: UInt64(50 + seed)), deviceData: settings)
            try await app.user("alice").activate(with: code)
            let id = [UInt8](hex: try await app.user("alice").information.deviceID)
            let report = try #require(try await stage.platform.platform.deviceData(of: id, of: Self.account))
            let hashed = report.fields.filter(\.isHashed)
            #expect(hashed.map(\.name) == ["system", "rooted"])
            #expect(hashed.allSatisfy { $0.value.count == 32 })
            hashes.formUnion(hashed.map(\.value))
        }
        #expect(hashes.count == 4)
    }

    /// The requests that have left since a number of commands, opened with the keys of the platform.
    private func requests(_ stage: Stage, since count: Int) async throws -> [RequestMessage] {
        let record = try #require(try await stage.orchestrator().environment.vault.record(Self.account))
        let (_, key) = try #require(try await stage.orchestrator().environment.vault.open(Self.account))
        var requests: [RequestMessage] = []
        for command in stage.wire.sent.dropFirst(count) {
            guard case .sealed(let message) = try Envelope(decoding: command) else { continue }
            let request = try ChannelRequest(message)
            let sealing = try #require(
                stage.platform.platform.keys.sealingKey(request.header.platformKeyID, at: stage.platform.time.now()))
            let (plaintext, _) = try request.open(with: sealing.pair, as: record.channelIdentity())
            let binding = MessageBinding(device: record.address, requestID: request.header.requestID)
            let verified = try RequestMessage.verified(
                SealedRequest(decoding: plaintext).message, deviceKey: key.publicKey, binding: binding)
            requests.append(verified.message)
        }
        return requests
    }

    @Test func `the ledger has exactly what left, and no value leaves that is hashed or not allowed`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let before = (stage.wire.sent.count, try await sent(stage).entries.count)
        let feeder = ScriptedFeeder(isRooted: true)
        let settings = DeviceDataSettings(
            excludedFields: [.uptime, .locale], hashedFields: [.rooted, .timeZone], feeder: feeder)
        let app = try stage.orchestrator(deviceData: settings)
        for round in 0..<8 {
            feeder.answer { AppDeviceData(isRooted: true, applicationData: "round \(round / 2)") }
            stage.advance(seconds: 60)
            try await list(app)
        }
        var full: [(fields: Set<DeviceDataField>, hashed: Set<DeviceDataField>)] = []
        var (hashes, latest) = (0, [UInt8]?.none)
        for request in try await requests(stage, since: before.0) {
            switch request.extensions.deviceData {
            case .full(let bytes)?:
                let data = try DeviceData(decoding: bytes)
                var entry: (fields: Set<DeviceDataField>, hashed: Set<DeviceDataField>) = ([], [])
                for (number, value) in data.values {
                    let field = try #require(DeviceDataField(rawValue: number))
                    entry.fields.insert(field)
                    if case .hash = value { entry.hashed.insert(field) }
                    #expect(settings.allows(field))
                }
                #expect(entry.hashed == [.rooted, .timeZone])
                full.append(entry)
                latest = data.hash
            case .hash(let hash)?:
                hashes += 1
                #expect(hash == latest)
            case .malformed?, nil: Issue.record("a request without data")
            }
        }
        #expect(full.count == 4 && hashes == 4)
        let ledger = try await app.deviceDataLedger(for: "alice").dropLast(before.1).reversed()
        #expect(ledger.map { Set($0.fields) } == full.map(\.fields))
        #expect(ledger.map(\.hashedFields) == full.map(\.hashed))
    }

    @Test func `an approval whose data the platform has lost is repeated once with the data in full`() async throws {
        for isRooted in [false, true] {
            let stage = try await Stage(policy: DevicePolicyTests.policy())
            try await stage.activate()
            let app = try stage.orchestrator(
                deviceData: DeviceDataSettings(
                    excludedFields: [.uptime], feeder: ScriptedFeeder(isRooted: isRooted)))
            try await app.user("alice").registerNotifications()
            let id = [UInt8](hex: try await app.user("alice").information.deviceID)
            let report = try await stage.platform.requestPayment("alice", "300", to: "Shop")
            let count = stage.wire.sent.count
            // The row is lost between the fetch and the answer.
            stage.wire.tamper { [store = stage.platform.store] answer in
                try await store.write { try $0.removeDeviceData(of: id) }
                return answer
            }
            let run = try await ApprovalRun(app.execute(#require(report.pointer))) { try await $0.approve() }
            #expect(run.words.last == (isRooted ? "aborted: methodRefused" : "succeeded"))
            let forms = try await requests(stage, since: count).map { request in
                if case .full? = request.extensions.deviceData { "full" } else { "hash" }
            }
            #expect(forms == ["hash", "hash", "full"])
            #expect(try await stage.platform.approval(report).status == (isRooted ? .refused : .accepted))
        }
    }

    @Test func `data that the platform has not read are sent in full again`() async throws {
        let stage = try await Stage(clockOffset: 600_000)
        let code = try await stage.platform.register("alice")
        let app = try stage.orchestrator(deviceData: DeviceDataSettings(excludedFields: [.uptime]))
        try await app.user("alice").activate(with: code)
        try await list(app)
        // The clock of the platform moves, so that the next request is refused as expired and repeated.
        stage.platform.time.advance(seconds: 1_200)
        let (count, entries) = (stage.wire.sent.count, try await sent(stage).entries.count)
        let changed = try stage.orchestrator(
            deviceData: DeviceDataSettings(excludedFields: [.uptime], feeder: ScriptedFeeder(isRooted: true)))
        try await list(changed)
        #expect(stage.wire.sent.count == count + 2)
        #expect(try await sent(stage).entries.count == entries + 2)
        #expect(try await stored(stage)["rooted"] == "true")
    }

    @Test func `messages of their own leave the entry of the data that requests name`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator(deviceData: DeviceDataSettings(excludedFields: [.uptime]))
        try await list(app)
        for number in 0..<40 {
            _ = try await app.deviceDataMessage(user: "alice", eventName: "event", applicationData: "\(number)")
        }
        let before = try await app.deviceDataLedger(for: "alice")
        #expect(before.count == 32 && before.filter { !$0.isMessage }.count == 1)
        #expect(
            before.allSatisfy {
                $0.isMessage == ($0.fields.contains(.applicationData) && !$0.hashedFields.contains(.applicationData))
            })
        stage.advance(seconds: 3_600)
        try await list(app)
        #expect(try await app.deviceDataLedger(for: "alice").last?.lastNamed != nil)
    }

    @Test func `application data of a message are sent only where the settings allow the field as a value`()
        async throws
    {
        let stage = try await Stage()
        try await stage.activate()
        for settings in [
            DeviceDataSettings(excludedFields: [.applicationData]), DeviceDataSettings(groups: [.basic]),
            DeviceDataSettings(hashedFields: [.applicationData]),
        ] {
            let app = try stage.orchestrator(deviceData: settings)
            let entries = try await sent(stage).entries
            await #expect(throws: OrchestrationError(.invalidArgument)) {
                try await app.deviceDataMessage(user: "alice", eventName: "e", applicationData: "{}")
            }
            #expect(try await sent(stage).entries == entries)
            _ = try await app.deviceDataMessage(user: "alice", eventName: "e")
        }
    }

    @Test func `the ledger names the fields, and no entry is missing or too many`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let feeder = ScriptedFeeder(isRooted: false)
        let app = try stage.orchestrator(
            deviceData: DeviceDataSettings(
                excludedFields: [.uptime], hashedFields: [.rooted], feeder: feeder))
        for round in 0..<40 {
            feeder.answer { AppDeviceData(isRooted: true, applicationData: "round \(round)") }
            stage.advance(seconds: 60)
            try await list(app)
        }
        stage.advance(seconds: 3_600)
        try await list(app)
        let ledger = try await app.deviceDataLedger(for: "alice")
        #expect(ledger.count == 32)
        let last = try #require(ledger.first)
        #expect(last.time < (try #require(last.lastNamed)))
        #expect(ledger.allSatisfy { !$0.isMessage && $0.fields.contains(.applicationData) })
        #expect(last.hashedFields == [.rooted])
        #expect(ledger.map(\.time) == ledger.map(\.time).sorted(by: >))
        await #expect(throws: OrchestrationError(.userUnknown)) { try await app.deviceDataLedger(for: "bob") }
    }

    @Test func `what cannot be entered in the ledger is not sent, and the command is`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let store = ReadOnlyStore(base: stage.store)
        let app = try stage.orchestrator(
            store: store, deviceData: DeviceDataSettings(feeder: ScriptedFeeder(isRooted: true)))
        try await list(app)
        #expect(try await stored(stage)["rooted"] == nil)
    }

    @Test func `a value that is too long or has a control character is left out, with a warning that names it`()
        async throws
    {
        let stage = try await Stage()
        try await stage.activate()
        for text in [String(repeating: "x", count: 1_025), "a\nb", "", "\u{202E}"] {
            let feeder = ScriptedFeeder { AppDeviceData(isRooted: true, applicationData: text) }
            let app = try stage.orchestrator(deviceData: DeviceDataSettings(feeder: feeder))
            let words = try await story(app.registerNotifications(for: "alice"))
            #expect(words.contains("warning: deviceDataFieldLeftOut(applicationData)"))
            #expect(words.last == "succeeded")
            #expect(try await stored(stage)["rooted"] == "true")
            #expect(try await stored(stage)["applicationData"] == nil)
        }
    }

    @Test func `a feeder that hangs delays a flow by the limit and does not fail it`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let feeder = ScriptedFeeder { await ScriptedFeeder.hang() }
        let app = try stage.orchestrator(deviceData: DeviceDataSettings(feeder: feeder))
        async let words = story(app.registerNotifications(for: "alice"))
        await stage.time.sleepers(1)
        stage.advance(seconds: 2)
        let events = try await words
        #expect(events.contains("warning: deviceDataMissing(app)"))
        #expect(events.last == "succeeded")
    }

    @Test func `a sealed message reaches the platform without an answer`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator(deviceData: DeviceDataSettings(feeder: ScriptedFeeder(isRooted: true)))
        let message = try await app.deviceDataMessage(user: "alice", eventName: "login", applicationData: "{}")
        let command = try #require(message.command)
        #expect(message.bytes == command.bytes)
        _ = try await stage.platform.platform.execute(command)
        #expect(try await stored(stage)["rooted"] == "true")
        let id = [UInt8](hex: try await app.user("alice").information.deviceID)
        let report = try #require(try await stage.platform.platform.deviceData(of: id, of: Self.account))
        #expect(report.event?.name == "login" && report.event?.applicationData == "{}")
        #expect(try await app.deviceDataLedger(for: "alice").first?.isMessage == true)
        // A message of its own is not what the next command carries.
        try await list(app)
        #expect(try await sent(stage).entries.count == 3)
    }

    @Test func `a signed message is readable and verifiable with the key of the device`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        let message = try await app.deviceDataMessage(user: "alice", encrypted: false, eventName: "start")
        #expect(message.command == nil)
        let (record, key) = try #require(try await app.environment.vault.open(Self.account))
        let signed = try Sign1(decoding: message.bytes)
        let request = try RequestMessage(decoding: signed.payload)
        let verified = try RequestMessage.verified(
            signed, deviceKey: key.publicKey,
            binding: MessageBinding(device: record.address, requestID: request.requestID))
        guard case .full(let bytes)? = verified.message.extensions.deviceData else {
            Issue.record("no data")
            return
        }
        #expect(try DeviceData(decoding: bytes)[.sdkVersion] == .text("0.1.0"))
        await #expect(throws: PlatformError.self) {
            try await stage.platform.platform.execute(OrchestrationCommand(bytes: message.bytes))
        }
    }

    @Test func `an event outside its limits is refused before anything is sent`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        for (name, data) in [("", nil), (String(repeating: "e", count: 65), nil), ("e", "a\0b"), ("e", "")]
            as [(String, String?)]
        {
            await #expect(throws: OrchestrationError(.invalidArgument)) {
                try await app.deviceDataMessage(user: "alice", eventName: name, applicationData: data)
            }
        }
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await app.deviceDataMessage(user: "bob", eventName: "e")
        }
        let silent = try stage.orchestrator(deviceData: .off)
        await #expect(throws: OrchestrationError(.invalidArgument)) {
            try await silent.deviceDataMessage(user: "alice", eventName: "e")
        }
    }

    @Test func `every field is shown with its value, whether it is sent or not`() async throws {
        let stage = try await Stage()
        let feeder = ScriptedFeeder { AppDeviceData(isRooted: true, applicationData: "\u{1B}[2J") }
        let app = try stage.orchestrator(deviceData: DeviceDataSettings(excludedFields: [.locale], feeder: feeder))
        let items = await app.deviceData()
        // A value that is not sent is not shown either.
        #expect(items.first { $0.field == .applicationData }?.value == nil)
        #expect(items.first { $0.field == .rooted }?.value == .boolean(true))
        #expect(items.map(\.field) == DeviceDataField.allCases)
        #expect(items.first { $0.field == .locale }?.isAllowed == false)
        #expect(items.first { $0.field == .wifiNetwork }?.isHashed == true)
        #expect(items.allSatisfy { $0.isAllowed || $0.value == nil })
    }
}

/// A store that cannot be written.
private struct ReadOnlyStore: SecureStore {
    let base: MemoryStore

    func names() async throws -> [StoreName] { try await base.names() }
    func read(_ name: StoreName) async throws -> [UInt8]? { try await base.read(name) }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable ([UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        let present = try await base.read(name)
        let (change, result) = try body(present)
        guard case .keep = change else { throw OrchestrationError(.storeUnavailable) }
        return result
    }
}
