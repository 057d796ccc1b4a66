import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A disk that fills between two statements of a transaction.
struct FailedStatementTests {
    private func entryCount(_ harness: Harness) async throws -> Int {
        try await harness.store.read { try $0.auditRows(from: 1, limit: 999).count }
    }

    @Test func `whichever statement of a revocation fails, nothing of it remains, and a repeat completes it`()
        async throws
    {
        let harness = try await Harness()
        let device = try await harness.activate()
        let database = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: database)
        let before = try await entryCount(harness)
        let state = try await harness.device(device)?.state
        var number = 1
        while true {
            database.failNextWrite(atStatement: number, with: StoreError(.full))
            do {
                try await platform.revokeDevice(device.id, of: Harness.account())
                break
            } catch let error as PlatformError {
                #expect(error.code == .storeFailed)
                #expect((error.underlying as? StoreError)?.code == .full)
            }
            #expect(try await harness.device(device)?.state == state)
            #expect(try await entryCount(harness) == before)
            #expect(try await platform.store.read { try $0.currentState() }.revocations == RevocationSum())
            number += 1
        }
        // The statements that delete, update, count and log.
        #expect(number > 8)
        #expect(try await harness.device(device)?.state == .revoked)
        #expect(try await platform.store.read { try $0.currentState() }.revocations.count == 1)
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .refused)
    }

    @Test func `whichever statement of a login fails, the code is not used up`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let database = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: database)
        let code = try device.code(at: harness.time.now())
        let request = try LoginRequest(account: Harness.account(), credential: .oneTimePassword(code))
        var number = 1
        while true {
            database.failNextWrite(atStatement: number, with: StoreError(.inputOutput))
            do {
                #expect(try await platform.login(request).status == .accepted)
                break
            } catch let error as PlatformError {
                #expect(error.code == .storeFailed)
            }
            number += 1
        }
        #expect(number > 2)
        #expect(try await platform.login(request).status == .refused)
    }
}
