import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The device data of requests at the platform.
@Suite struct DeviceDataStorageTests {
    private static func data(_ isRooted: Bool) throws -> DeviceData {
        try DeviceData([.system: .text("Linux"), .rooted: .boolean(isRooted)])
    }

    private static func full(_ data: DeviceData) -> Extensions { .deviceData(.full(data.encoded)) }

    private func report(_ device: Authenticator, _ harness: Harness) async throws -> DeviceDataReport? {
        try await harness.platform.deviceData(of: device.id, of: device.account)
    }

    private func row(of device: Authenticator, _ harness: Harness) async throws -> DeviceDataRecord? {
        let id = device.id
        return try await harness.store.read { try $0.deviceData(of: id) }
    }

    @Test func `data in full are stored sealed, and a hash of them is known`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let data = try Self.data(true)
        let answer = try await device.send(.approvalList, extensions: Self.full(data), to: harness)
        #expect(answer.extensions == .none)
        let report = try #require(try await report(device, harness))
        #expect(report.fields.map(\.name) == ["system", "rooted"])
        #expect(report.fields.map(\.value) == ["Linux", "true"])
        #expect(report.fields.allSatisfy { !$0.purpose.isEmpty && !$0.isHashed })
        let row = try #require(try await row(of: device, harness))
        #expect(!row.content.bytes.contains(sequence: Array("Linux".utf8)))
        let hashed = try await device.send(
            .approvalList, extensions: .deviceData(.hash(data.hash)), to: harness)
        #expect(hashed.extensions == .none)
        let other = try await device.send(
            .approvalList, extensions: .deviceData(.hash([UInt8](repeating: 1, count: 32))), to: harness)
        #expect(other.extensions.deviceDataReply == .unknown)
    }

    @Test func `a platform that was restored without the data asks for them`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let backup = try harness.snapshot()
        let data = try Self.data(false)
        _ = try await device.send(.approvalList, extensions: Self.full(data), to: harness)
        let restored = try await harness.restarted(on: backup)
        let hash = Extensions.deviceData(.hash(data.hash))
        #expect(
            try await device.send(.approvalList, extensions: hash, to: restored).extensions.deviceDataReply == .unknown)
        #expect(try await device.send(.approvalList, extensions: Self.full(data), to: restored).extensions == .none)
        #expect(try await device.send(.approvalList, extensions: hash, to: restored).extensions == .none)
    }

    @Test func `wrong data are refused by field, stored nowhere, and the message is carried out`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        var bytes = try Self.data(true).encoded
        bytes[bytes.count - 1] = 0xF6
        let rows: [(Extensions, UInt64?)] = [
            ([1: .bytes(bytes)], 17), ([1: .bytes([])], nil), ([1: .bytes([0xA0])], nil),
            ([1: .bytes([UInt8](repeating: 0x9F, count: 4_096))], nil),
            ([1: .bytes([UInt8](repeating: 0, count: 4_097))], nil), ([1: .text("x")], nil), ([2: .bytes([1])], nil),
            ([1: .bytes(try Self.data(true).encoded), 2: .bytes([UInt8](repeating: 1, count: 32))], nil),
        ]
        for (extensions, field) in rows {
            let answer = try await device.send(.approvalList, extensions: extensions, to: harness)
            #expect(answer.refusal == nil)
            #expect(answer.extensions.deviceDataReply == .refused(field: field))
            #expect(try await report(device, harness) == nil)
        }
    }

    @Test func `a delayed request brings no earlier data back`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let delayed = try await device.seal(.approvalList, extensions: Self.full(Self.data(false)), to: harness)
        harness.time.advance(seconds: 10)
        _ = try await device.send(.approvalList, extensions: Self.full(Self.data(true)), to: harness)
        _ = try device.open(try await harness.platform.execute(delayed.command), to: delayed)
        #expect(try await report(device, harness)?.fields.last?.value == "true")
    }

    @Test func `data of a request that is not served have no effect`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let full = Self.full(try Self.data(true))
        // Refused as expired.
        let late = try await device.send(.approvalList, clockError: 400_000, extensions: full, to: harness)
        #expect(late.refusal == .expired && late.extensions == .none)
        #expect(try await report(device, harness) == nil)
        // Locked: five wrong passwords are not needed, a copied store is enough.
        var row = try #require(try await harness.device(device))
        row.state = .locked
        row.lockReason = .cloneSuspected
        row.stateBeforeLock = .active
        let locked = row
        _ = try await harness.platform.store.write { try $0.update(locked) }
        let refused = try await device.send(.approvalList, extensions: full, to: harness)
        #expect(refused.refusal == .cloneSuspected && refused.extensions == .none)
        #expect(try await report(device, harness) == nil)
    }

    @Test func `data are gone after 30 days, and with the device`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        _ = try await device.send(.approvalList, extensions: Self.full(Self.data(true)), to: harness)
        harness.time.advance(seconds: 30 * 86_400 - 1)
        #expect(try await report(device, harness) != nil)
        harness.time.advance(seconds: 1)
        #expect(try await report(device, harness) == nil)
        try await harness.sweep()
        #expect(try await row(of: device, harness) == nil)
        _ = try await device.send(.approvalList, extensions: Self.full(Self.data(true)), to: harness)
        try await harness.platform.revokeDevice(device.id, of: device.account)
        #expect(try await row(of: device, harness) == nil)
    }

    @Test func `a row of another device does not open`() async throws {
        let harness = try await Harness()
        let (alice, bob) = (try await harness.activate(), try await harness.activate("bob@master"))
        _ = try await alice.send(.approvalList, extensions: Self.full(Self.data(false)), to: harness)
        var row = try #require(try await row(of: alice, harness))
        row.device = bob.id
        let moved = row
        try await harness.store.write { try $0.put(moved) }
        #expect(try await report(bob, harness) == nil)
        await #expect(throws: PlatformError.self) {
            try await harness.platform.deviceData(of: alice.id, of: bob.account)
        }
    }

    @Test func `an event is stored with its data and stays until the next one`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let event = try DeviceDataMessage(event: "login", applicationData: "{}")
        let full = Self.full(try Self.data(true))
        #expect(
            try await device.send(.deviceData(event), extensions: full, to: harness).result == .accepted(.deviceData))
        #expect(try await report(device, harness)?.event?.name == "login")
        harness.time.advance(seconds: 1)
        _ = try await device.send(.approvalList, extensions: Self.full(Self.data(false)), to: harness)
        let report = try #require(try await report(device, harness))
        #expect(report.event?.applicationData == "{}" && report.fields.last?.value == "false")
    }

    @Test func `a repeated request gets the same answer and stores nothing again`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let sent = try await device.seal(.approvalList, extensions: Self.full(Self.data(true)), to: harness)
        let first = try await harness.platform.execute(sent.command)
        let stored = try await row(of: device, harness)
        #expect(try await harness.platform.execute(sent.command) == first)
        #expect(try await row(of: device, harness) == stored)
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
