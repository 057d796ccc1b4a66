import Primitives
import Testing

@testable import TrustedIdentity

struct ThrottleScopeTests {
    let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let store: Store
    let hashes: KeyedHashes

    init() async throws {
        store = try await Harness().platform.store
        hashes = try DataKeys(random: SystemRandomSource()).hashes
    }

    func scope(_ source: String?) -> ThrottleScope {
        scope(source, .code)
    }

    func scope(_ source: String?, _ kind: CredentialKind) -> ThrottleScope {
        ThrottleScope(account: "alice@master", kind: kind, source: source, hashes: hashes)
    }

    func fail(_ source: String?, times: Int) async throws {
        for _ in 0..<times {
            let isWritten = try await store.write { [scope, now] in try scope(source).fail(in: $0, now: now) }
            #expect(isWritten)
        }
    }

    func isBlocked(_ source: String?) async throws -> Bool {
        try await store.read { [scope, now] in
            try scope(source).counts(in: $0).isBlocked(now: now)
        }
    }

    @Test func `strangers do not block a source that succeeded before`() async throws {
        _ = try await store.write { [scope, now] in try scope("browser").succeed(in: $0, now: now) }
        try await fail("stranger", times: 5)
        #expect(try await isBlocked("stranger"))
        #expect(try await isBlocked(nil))
        #expect(try await !isBlocked("browser"))
    }

    @Test func `a known source is blocked by its own failures and blocks no other source`() async throws {
        _ = try await store.write { [scope, now] in try scope("browser").succeed(in: $0, now: now) }
        try await fail("browser", times: 5)
        #expect(try await isBlocked("browser"))
        #expect(try await !isBlocked(nil))
    }

    @Test func `sources that never succeeded share one count`() async throws {
        try await fail("one", times: 2)
        try await fail("two", times: 2)
        try await fail(nil, times: 1)
        #expect(try await isBlocked("three"))
    }

    @Test func `ten sources are stored, and a new one replaces the least recently used`() async throws {
        for number in 0..<11 {
            _ = try await store.write { [scope, now] in
                try scope("browser \(number)").succeed(in: $0, now: now.advanced(milliseconds: Int64(number)))
            }
        }
        let known = try await store.read { try $0.throttles(of: "alice@master") }
        #expect(known.count == 10)
        let first = scope("browser 0").source
        #expect(!known.contains { $0.key.source == first })
    }

    @Test func `a hundred failures in a row over all sources block every source until a lift`() async throws {
        for source in ["one", "two"] {
            _ = try await store.write { [scope, now] in try scope(source).succeed(in: $0, now: now) }
        }
        try await fail("one", times: 49)
        try await fail("two", times: 49)
        #expect(try await !isBlocked(nil))
        try await fail(nil, times: 2)
        for source in ["one", "two", nil, "three"] { #expect(try await isBlocked(source)) }
        let later = now.advanced(seconds: 400 * 86_400)
        let counts = try await store.read { [scope] in try scope(nil).counts(in: $0) }
        #expect(counts.isBlocked(now: later))
    }

    @Test func `strangers who fail with both kinds of credentials do not block a known source`() async throws {
        for kind in CredentialKind.allCases {
            let (known, stranger) = (scope("mine", kind), scope(nil, kind))
            _ = try await store.write { [now] in try known.succeed(in: $0, now: now) }
            // The common count blocks strangers until a lift after this many failures.
            for _ in 0..<Throttle.limit { _ = try await store.write { [now] in try stranger.fail(in: $0, now: now) } }
        }
        for kind in CredentialKind.allCases {
            let later = now.advanced(seconds: 400 * 86_400)
            let (known, stranger) = (scope("mine", kind), scope(nil, kind))
            let isBlocked = try await store.read {
                (try known.counts(in: $0).isBlocked(now: later), try stranger.counts(in: $0).isBlocked(now: later))
            }
            #expect(isBlocked == (false, true))
        }
    }

    @Test func `a success of any source ends the row over all sources`() async throws {
        _ = try await store.write { [scope, now] in try scope("mine").succeed(in: $0, now: now) }
        try await fail(nil, times: 4)
        try await fail("mine", times: 4)
        _ = try await store.write { [scope, now] in try scope("mine").succeed(in: $0, now: now) }
        let overall = try await store.read { [scope] in try scope(nil).counts(in: $0).overall }
        #expect(overall?.consecutive == 0)
    }

    @Test func `a source is stored as a hash that depends on the account and on a key of the store`() throws {
        let text = "very identifying browser"
        let source = scope(text).source
        #expect(source.count == 64)
        #expect(source != ThrottleScope(account: "bob@master", kind: .code, source: text, hashes: hashes).source)
        let others = try DataKeys(random: SystemRandomSource()).hashes
        #expect(source != ThrottleScope(account: "alice@master", kind: .code, source: text, hashes: others).source)
        #expect(scope("").source.isEmpty)
    }
}

extension ThrottleScope {
    fileprivate func fail(in store: StoreTransaction, now: Timestamp) throws -> Bool {
        try fail(counts(in: store), in: store, now: now)
    }

    fileprivate func succeed(in store: StoreTransaction, now: Timestamp) throws -> Bool {
        try succeed(counts(in: store), in: store, now: now)
    }
}
