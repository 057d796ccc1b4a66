import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration

/// A record holds no check value of the password.
@Suite struct StoredFieldTests {
    @Test func `every stored field is known, with the reason why it may be there`() async throws {
        let story = try await Story()
        try await story.live(rounds: 2)
        let record = try await story.recordBytes()
        #expect(Self.faults(of: record) == [])
        #expect(Set(StoredField.all.map(\.name)).count == StoredField.all.count)
        #expect(StoredField.all.allSatisfy { !$0.why.isEmpty })
    }

    @Test func `a field that is not listed is detected`() async throws {
        let record = try await Story().recordBytes()
        guard case .map(let fields) = try CBORValue(decoding: record) else { throw NothingToSteal() }
        // The length of the password, its hash, a count of failures, a history of codes, or nothing.
        for extra in [
            CBORValue.unsigned(6), .bytes([UInt8](repeating: 1, count: 32)), .array([.text("12345678")]), .null,
        ] {
            var added = fields
            added[.text("passwordLength")] = extra
            #expect(Self.faults(of: CBORValue.map(added).encoded) == ["passwordLength"])
            for field in StoredField.all where !field.isAsExpected(extra) {
                var changed = fields
                changed[.text(field.key)] = extra
                #expect(Self.faults(of: CBORValue.map(changed).encoded) == [field.name])
            }
        }
        var longer = fields
        longer[.text("maskedSecret")] = .bytes([UInt8](repeating: 0, count: 38))
        #expect(Self.faults(of: CBORValue.map(longer).encoded) == ["C"])
    }

    @Test func `many logins change nothing but the ratchet, the counters and the clock`() async throws {
        let story = try await Story()
        try await story.live(rounds: 1)
        let before = try await story.recordBytes()
        try await story.live(rounds: 6)
        let after = try await story.recordBytes()
        let old = try #require(try CBORValue(decoding: before).fields)
        let new = try #require(try CBORValue(decoding: after).fields)
        #expect(Set(old.keys) == Set(new.keys))
        let changed = StoredField.all.filter { old[$0.key] != new[$0.key] }
        let unexpected = changed.filter { !$0.mayChange }.map { $0.name }
        #expect(unexpected == [])
        let names = changed.map { $0.name }
        #expect(names.contains("D"))
        #expect(names.contains("counters"))
        let blobs = try await story.blobs()
        #expect(blobs.count == 1)
    }

    @Test func `two snapshots and every code between them test no guess`() async throws {
        let story = try await Story()
        try await story.live(rounds: 1)
        let before = try await story.steal()
        try await story.live(rounds: 4)
        let after = try await story.steal()
        // The same mask of the same K₁: two different ones would test guesses.
        #expect(before.record.maskedSecret == after.record.maskedSecret)
        #expect(before.record.salt == after.record.salt)
        #expect(before.record.possessionSecret.bytes == after.record.possessionSecret.bytes)
        for pin in PINList.pins(100, with: WalkWorld.password) {
            let (old, new) = (try await before.guess(pin), try await after.guess(pin))
            #expect(old.candidate == new.candidate)
        }
    }

    @Test(arguments: ["482915", "4829153", "482915730164"])
    func `the length of the password is in no size`(_ password: String) async throws {
        let reference = try await Story()
        let story = try await Story(password: password)
        for story in [reference, story] { try await story.live(rounds: 2) }
        let (mine, others) = (try await story.recordBytes(), try await reference.recordBytes())
        #expect(mine.count == others.count)
        let (blobs, otherBlobs) = (try await story.blobs(), try await reference.blobs())
        #expect(blobs.map(\.count) == otherBlobs.map(\.count))
        #expect(Self.faults(of: mine) == [])
    }

    /// Returns the names of the fields that are not as listed, and those of unlisted fields.
    private static func faults(of record: [UInt8]) -> [String] {
        guard let fields = try? CBORValue(decoding: record).fields else { return ["no map"] }
        let unlisted = Set(fields.keys).subtracting(StoredField.all.map(\.key))
        return unlisted.sorted()
            + StoredField.all.filter { !$0.isAsExpected(fields[$0.key] ?? .null) }.map(\.name)
    }
}
