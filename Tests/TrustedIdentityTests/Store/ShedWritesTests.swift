import OrchestrationTesting
import Testing

@testable import TrustedIdentity

/// The log of writes that a store refuses under load.
@Suite struct ShedWritesTests {
    @Test func `refused writes are logged together, once a second`() async throws {
        let (lines, time) = (LogLines(), ManualTimeSource())
        let store = FaultInjectingDatabase(SQLiteDatabase.inMemory())
        let logged = Store(store, time: time, logger: lines.logger)
        store.fail(with: StoreError(.overloaded))
        func write(_ count: Int) async {
            for _ in 0..<count {
                await #expect(throws: PlatformError.self) { try await logged.write { _ in } }
            }
        }
        await write(3)
        #expect(lines.all == ["notice store overloaded store.shed-writes=1"])
        time.advance(milliseconds: 999)
        await write(1)
        #expect(lines.all.count == 1)
        time.advance(milliseconds: 1)
        await write(2)
        // Those after the first line, and the first of this second.
        #expect(lines.all.last == "notice store overloaded store.shed-writes=4" && lines.all.count == 2)
        store.fail(with: StoreError(.full))
        await write(2)
        #expect(lines.all.suffix(2) == ["error store failed store.error=full", "error store failed store.error=full"])
    }
}
