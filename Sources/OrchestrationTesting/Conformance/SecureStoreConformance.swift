public import Orchestration
internal import Synchronization

/// Checks of the contract of ``/Orchestration/SecureStore``, for any test library.
///
/// ```swift
/// @Test(arguments: SecureStoreConformance.checks)
/// func `my store behaves`(_ check: ConformanceCheck<SecureStoreSubject>) async throws {
///     let storage = try Storage()                        // new for each check
///     try await check.run(SecureStoreSubject(storage.open(), twin: storage.open()))
/// }
/// ```
/// A check cannot test durability and the behavior at a crash. Cover these in the tests of the store itself.
public enum SecureStoreConformance {
    /// The checks.
    public static let checks: [ConformanceCheck<SecureStoreSubject>] = [
        ConformanceCheck("a new store has no names, and reads return nil") { subject in
            let store = subject.store
            try expect(try await store.names().isEmpty, "a new store has no names")
            try expect(try await store.read(name("a")) == nil, "a new store holds no value")
        },
        ConformanceCheck("a value is read back, also by the twin, and after it was replaced") { subject in
            let (store, twin) = (subject.store, subject.twin)
            try await put([1, 2, 3], "a", in: store)
            try expect(try await store.read(name("a")) == [1, 2, 3], "what was written is read")
            try expect(try await twin.read(name("a")) == [1, 2, 3], "another instance reads it")
            try await put([4], "a", in: twin)
            try expect(try await store.read(name("a")) == [4], "a replaced value is read")
            try expect(try await store.names() == [name("a")], "the name is listed once")
        },
        ConformanceCheck("an empty value is a value") { subject in
            try await put([], "a", in: subject.store)
            try expect(try await subject.twin.read(name("a")) == [], "an empty value is not a missing one")
        },
        ConformanceCheck("a deleted value is gone, and deleting it again is not an error") { subject in
            let (store, twin) = (subject.store, subject.twin)
            try await put([1], "a", in: store)
            try await store.update(name("a")) { _ in (.delete, ()) }
            try expect(try await twin.read(name("a")) == nil, "a deleted value is gone")
            try expect(try await store.names().isEmpty, "a deleted name is not listed")
            try await store.update(name("a")) { _ in (.delete, ()) }
            try await put([2], "a", in: twin)
            try expect(try await store.read(name("a")) == [2], "a deleted name can be used again")
        },
        ConformanceCheck("the body gets the current value, and its result is returned") { subject in
            let store = subject.store
            let first = try await store.update(name("a")) { current in (.replace([7]), current) }
            try expect(first == nil, "the body sees that there is no value")
            let second = try await store.update(name("a")) { current in (.keep, current) }
            try expect(second == [7], "the body sees the value")
        },
        ConformanceCheck("keeping neither changes nor creates a value") { subject in
            let store = subject.store
            try await store.update(name("a")) { _ in (.keep, ()) }
            try expect(try await store.names().isEmpty, "keeping nothing creates nothing")
            try await put([1], "a", in: store)
            try await store.update(name("a")) { _ in (.keep, ()) }
            try expect(try await store.read(name("a")) == [1], "keeping a value keeps it")
        },
        ConformanceCheck("when the body throws, its error is thrown and nothing is changed") { subject in
            struct Refusal: Error {}
            let store = subject.store
            try await put([1], "a", in: store)
            let calls = Mutex(0)
            do {
                try await store.update(name("a")) { _ throws -> (StoreChange, Void) in
                    calls.withLock { $0 += 1 }
                    throw Refusal()
                }
                try expect(false, "the error of the body is thrown")
            } catch is Refusal {}
            try expect(calls.withLock { $0 } == 1, "the body is called once")
            try expect(try await store.read(name("a")) == [1], "nothing was changed")
        },
        ConformanceCheck("a value does not affect the values of other names") { subject in
            let store = subject.store
            try await put([1], "a", in: store)
            try await put([2], "a-b", in: store)
            try await store.update(name("a")) { _ in (.delete, ()) }
            try expect(try await store.read(name("a-b")) == [2], "another name keeps its value")
            try expect(try await store.names() == [name("a-b")], "another name stays listed")
        },
        ConformanceCheck("256 KiB are stored; one byte more is refused and keeps the old value") { subject in
            let store = subject.store
            let largest = [UInt8](repeating: 0x5A, count: 256 * 1024)
            try await put(largest, "a", in: store)
            do {
                try await put(largest + [0], "a", in: store)
                try expect(false, "one byte too many is refused")
            } catch let error as OrchestrationError {
                try expect(error.code == .invalidArgument, "one byte too many is invalidArgument")
            }
            try expect(try await store.read(name("a")) == largest, "256 KiB are kept")
        },
        ConformanceCheck("no change is lost when many tasks change a value through both instances") { subject in
            let key = name("a")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<16 {
                    let store = index.isMultiple(of: 2) ? subject.store : subject.twin
                    group.addTask {
                        try await store.update(key) { current in (.replace([(current?.first ?? 0) + 1]), ()) }
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await subject.store.read(key) == [16], "no change is lost")
        },
    ]

    private static func put(_ bytes: [UInt8], _ text: String, in store: any SecureStore) async throws {
        try await store.update(name(text)) { _ in (.replace(bytes), ()) }
    }

    private static func name(_ text: String) -> StoreName {
        guard let name = StoreName(text) else { preconditionFailure("name(_:): a plain name is a name") }
        return name
    }
}

/// A store under test.
public struct SecureStoreSubject: Sendable {
    let store: any SecureStore
    let twin: any SecureStore

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - store: An empty store.
    ///   - twin: Another instance over the same data; the same instance if there can be no other.
    public init(_ store: any SecureStore, twin: any SecureStore) {
        self.store = store
        self.twin = twin
    }
}
