import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Rows of revoked devices and API keys that a writer to the database puts back or removes, with the HMACs of their
/// time: the platform is not ready.
struct RolledBackRowTests {
    let harness: Harness
    let phone: Authenticator
    let tablet: Authenticator
    let key: NewAPIKey
    private let active: (phone: KeptRow<DeviceRecord>, tablet: KeptRow<DeviceRecord>, key: KeptRow<APIKeyRecord>)

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
        tablet = try await harness.activate("bob")
        key = try await harness.platform.createAPIKey(scope: .administrator, name: "lost")
        active = try await harness.store.write { [phone = phone.id, tablet = tablet.id, key = key.id] store in
            (
                try store.keptRow(#require(try store.device(phone))),
                try store.keptRow(#require(try store.device(tablet))),
                try store.keptRow(#require(try store.apiKey(key)))
            )
        }
    }

    private func revoke(_ device: Authenticator, of user: String = Harness.alice) async throws {
        try await harness.platform.revokeDevice(device.id, of: Harness.account(user))
    }

    /// The parts that are not ready after a run of the maintenance, and after another start.
    private func problems() async throws -> [Readiness.Part] {
        try await Maintenance(harness.platform).runOnce()
        let parts = try await harness.platform.readiness().problems.map(\.part)
        #expect(try await harness.restarted().platform.readiness().problems.map(\.part) == parts)
        return parts
    }

    @Test func `revocations and removals leave the platform ready`() async throws {
        #expect(try await problems() == [])
        try await revoke(phone)
        try await harness.platform.revokeAPIKey(key.id)
        try await revoke(tablet, of: "bob@master")
        #expect(try await problems() == [])
        let state = try await harness.platform.store.read { try $0.currentState() }
        #expect(state.revocations.count == 3)
        // The rows of the devices are removed in the end.
        harness.time.advance(seconds: 3 * 365 * 86_400)
        #expect(try await problems() == [])
        #expect(try await harness.device(phone) == nil)
        let later = try await harness.platform.store.read { try $0.currentState() }
        #expect(later.revocations.count == 1)
    }

    @Test func `a device that is put back is found`() async throws {
        try await revoke(phone)
        try await harness.store.write { [active] in try $0.putBack(active.phone) }
        // The row has its HMAC, so that the device works until the next comparison.
        #expect(try await harness.login(phone.code(at: harness.time.now())).status == .accepted)
        #expect(try await problems() == [.revocations])
    }

    @Test func `an API key that is put back is found`() async throws {
        try await harness.platform.revokeAPIKey(key.id)
        try await harness.store.write { [active] in try $0.putBack(active.key) }
        #expect(try await problems() == [.revocations])
    }

    @Test func `two rows that are put back, and one instead of another, are found`() async throws {
        try await revoke(phone)
        try await harness.platform.revokeAPIKey(key.id)
        let revoked = try await harness.store.write { [active, phone = phone.id] store in
            let revoked = try store.keptRow(#require(try store.device(phone)))
            try store.putBack(active.phone)
            try store.putBack(active.key)
            return revoked
        }
        #expect(try await problems() == [.revocations])
        // The count is right again: the tablet is revoked instead of the key.
        try await harness.store.write { [tablet = tablet.id] store in
            try store.putBack(revoked)
            try store.session.run(
                "UPDATE device SET state = 'revoked', secrets = NULL, ratchet = NULL WHERE id = $1",
                [.blob(tablet)]
            ) { _ in }
        }
        #expect(try await problems() == [.revocations])
    }

    /// The sweep removes the row as if its time were over, and does not take it out of the sum.
    @Test func `a revoked row that another program makes old, and then puts back, is found`() async throws {
        try await revoke(phone)
        try await harness.store.write { [phone = phone.id] store in
            var row = try #require(try store.device(phone))
            row.revokedAt = Timestamp(millisecondsSinceEpoch: 0)
            try store.alter(row)
        }
        #expect(try await problems() == [.revocations])
        #expect(try await harness.device(phone) == nil)
        try await harness.store.write { [active] in try $0.putBack(active.phone) }
        #expect(try await problems() == [.revocations])
    }

    @Test func `a row that cannot be read is found, and the platform opens`() async throws {
        try await harness.store.write { [key = key.id] store in
            _ = try store.session.run(
                "UPDATE api_key SET revoked_at = 1, id = CAST(x'FF' AS TEXT) WHERE id = $1", [.text(key)]
            ) { _ in }
        }
        #expect(try await problems() == [.revocations])
    }

    /// What is not found, as the article says.
    @Test func `a device that is put back after its revoked row was removed works`() async throws {
        try await revoke(phone)
        harness.time.advance(seconds: 3 * 365 * 86_400)
        #expect(try await problems() == [])
        try await harness.store.write { [active] in try $0.putBack(active.phone) }
        #expect(try await problems() == [])
    }

    @Test func `a revoked row that another program removes is found`() async throws {
        try await revoke(phone)
        try await harness.store.write { [phone = phone.id] in try $0.removeDevice(phone) }
        #expect(try await problems() == [.revocations])
    }

    @Test func `a restore counts the rows again, and a replacement of the data keys does not hide them`() async throws {
        try await revoke(phone)
        try await harness.store.write { [active] in try $0.putBack(active.phone) }
        await #expect(throws: PlatformError(.alteredRow)) {
            try await Platform.replaceDataKeys(
                on: harness.store, masterKey: harness.masterKey, time: harness.time, random: harness.random)
        }
        try await harness.platform.markRestored(revocations: .unknown)
        #expect(try await problems() == [])
        #expect(try await harness.login(phone.code(at: harness.time.now())).status == .refused)
    }

    /// What is not found, as the article says.
    @Test func `the row about the platform of the same time hides a device that is put back`() async throws {
        let before = try await harness.store.write { store in
            try store.keptRow(#require(try store.platformState()))
        }
        try await revoke(phone)
        try await harness.store.write { [active] store in
            try store.putBack(active.phone)
            try store.putBack(before)
        }
        #expect(try await problems() == [])
    }

    @Test func `the sum is that of numbers modulo 2^256, in any order`() {
        let (one, most) = ([UInt8](repeating: 0, count: 31) + [1], [UInt8](repeating: 255, count: 32))
        var sum = RevocationSum()
        sum.add(most)
        sum.add(one)
        #expect(sum == RevocationSum(count: 2))
        sum.subtract(one)
        #expect(sum == RevocationSum(count: 1, sum: most))
        sum.subtract(most)
        #expect(sum == RevocationSum())
    }
}
