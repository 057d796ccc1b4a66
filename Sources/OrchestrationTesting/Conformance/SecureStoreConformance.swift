public import Orchestration
internal import Synchronization

/// Checks of the contract of ``/Orchestration/SecureStore``, for any test library.
///
/// ```swift
/// @Test(arguments: SecureStoreConformance.allCases)
/// func `my store behaves`(_ check: SecureStoreConformance) async throws {
///     let storage = try Storage()                        // new for each check
///     try await check.run(storage.open(), twin: storage.open())
/// }
/// ```
/// A check cannot test durability and the behavior at a crash. Cover these in the tests of the store itself.
public enum SecureStoreConformance: String, Sendable, Hashable, CaseIterable {
    /// A new store has no names, and reads return `nil`.
    case startsEmpty
    /// A value is read back under its name, also by the twin, and after it was replaced.
    case keepsWhatWasWritten
    /// An empty value is a value.
    case keepsAnEmptyValue
    /// A deleted value is gone, and deleting it again is not an error.
    case forgetsWhatWasDeleted
    /// The body gets the current value, and its result is returned.
    case showsTheBodyTheValue
    /// `.keep` neither changes nor creates a value.
    case changesNothingOnKeep
    /// When the body throws, its error is thrown and nothing is changed.
    case changesNothingWhenTheBodyThrows
    /// A value does not affect the values of other names.
    case keepsNamesApart
    /// 256 KiB are stored; one byte more is `invalidArgument` and keeps the old value.
    case holdsItsLimit
    /// No change is lost when many tasks change a value through both instances.
    case serializesChanges

    /// Runs the check.
    ///
    /// - Parameters:
    ///   - store: An empty store.
    ///   - twin: Another instance over the same data; the same instance if there can be no other.
    /// - Throws: ``Failure`` when the store misbehaves, or the error that the store threw when it should not have.
    public func run(_ store: any SecureStore, twin: any SecureStore) async throws {
        switch self {
        case .startsEmpty: try await startsEmpty(store)
        case .keepsWhatWasWritten: try await keepsWhatWasWritten(store, twin)
        case .keepsAnEmptyValue: try await keepsAnEmptyValue(store, twin)
        case .forgetsWhatWasDeleted: try await forgetsWhatWasDeleted(store, twin)
        case .showsTheBodyTheValue: try await showsTheBodyTheValue(store)
        case .changesNothingOnKeep: try await changesNothingOnKeep(store)
        case .changesNothingWhenTheBodyThrows: try await changesNothingWhenTheBodyThrows(store)
        case .keepsNamesApart: try await keepsNamesApart(store)
        case .holdsItsLimit: try await holdsItsLimit(store)
        case .serializesChanges: try await serializesChanges(store, twin)
        }
    }

    /// The failure of a check.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The expectation that did not hold.
        public let description: String
    }
}

extension SecureStoreConformance {
    private func startsEmpty(_ store: any SecureStore) async throws {
        try require(try await store.names().isEmpty, "a new store has no names")
        try require(try await store.read(name("a")) == nil, "a new store holds no value")
    }

    private func keepsWhatWasWritten(_ store: any SecureStore, _ twin: any SecureStore) async throws {
        try await put([1, 2, 3], "a", in: store)
        try require(try await store.read(name("a")) == [1, 2, 3], "what was written is read")
        try require(try await twin.read(name("a")) == [1, 2, 3], "another instance reads it")
        try await put([4], "a", in: twin)
        try require(try await store.read(name("a")) == [4], "a replaced value is read")
        try require(try await store.names() == [name("a")], "the name is listed once")
    }

    private func keepsAnEmptyValue(_ store: any SecureStore, _ twin: any SecureStore) async throws {
        try await put([], "a", in: store)
        try require(try await twin.read(name("a")) == [], "an empty value is not a missing one")
    }

    private func forgetsWhatWasDeleted(_ store: any SecureStore, _ twin: any SecureStore) async throws {
        try await put([1], "a", in: store)
        try await store.update(name("a")) { _ in (.delete, ()) }
        try require(try await twin.read(name("a")) == nil, "a deleted value is gone")
        try require(try await store.names().isEmpty, "a deleted name is not listed")
        try await store.update(name("a")) { _ in (.delete, ()) }
        try await put([2], "a", in: twin)
        try require(try await store.read(name("a")) == [2], "a deleted name can be used again")
    }

    private func showsTheBodyTheValue(_ store: any SecureStore) async throws {
        let first = try await store.update(name("a")) { current in (.replace([7]), current) }
        try require(first == nil, "the body sees that there is no value")
        let second = try await store.update(name("a")) { current in (.keep, current) }
        try require(second == [7], "the body sees the value")
    }

    private func changesNothingOnKeep(_ store: any SecureStore) async throws {
        try await store.update(name("a")) { _ in (.keep, ()) }
        try require(try await store.names().isEmpty, "keeping nothing creates nothing")
        try await put([1], "a", in: store)
        try await store.update(name("a")) { _ in (.keep, ()) }
        try require(try await store.read(name("a")) == [1], "keeping a value keeps it")
    }

    private func changesNothingWhenTheBodyThrows(_ store: any SecureStore) async throws {
        struct Refusal: Error {}
        try await put([1], "a", in: store)
        let calls = Mutex(0)
        do {
            try await store.update(name("a")) { _ throws -> (StoreChange, Void) in
                calls.withLock { $0 += 1 }
                throw Refusal()
            }
            throw Failure(description: "the error of the body is thrown")
        } catch is Refusal {}
        try require(calls.withLock { $0 } == 1, "the body is called once")
        try require(try await store.read(name("a")) == [1], "nothing was changed")
    }

    private func keepsNamesApart(_ store: any SecureStore) async throws {
        try await put([1], "a", in: store)
        try await put([2], "a-b", in: store)
        try await store.update(name("a")) { _ in (.delete, ()) }
        try require(try await store.read(name("a-b")) == [2], "another name keeps its value")
        try require(try await store.names() == [name("a-b")], "another name stays listed")
    }

    private func holdsItsLimit(_ store: any SecureStore) async throws {
        let largest = [UInt8](repeating: 0x5A, count: 256 * 1024)
        try await put(largest, "a", in: store)
        do {
            try await put(largest + [0], "a", in: store)
            throw Failure(description: "one byte too many is refused")
        } catch let error as OrchestrationError {
            try require(error.code == .invalidArgument, "one byte too many is invalidArgument")
        }
        try require(try await store.read(name("a")) == largest, "256 KiB are kept")
    }

    private func serializesChanges(_ store: any SecureStore, _ twin: any SecureStore) async throws {
        let key = try name("a")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<16 {
                let store = index.isMultiple(of: 2) ? store : twin
                group.addTask {
                    try await store.update(key) { current in (.replace([(current?.first ?? 0) + 1]), ()) }
                }
            }
            try await group.waitForAll()
        }
        try require(try await store.read(key) == [16], "no change is lost")
    }

    private func put(_ bytes: [UInt8], _ text: String, in store: any SecureStore) async throws {
        try await store.update(name(text)) { _ in (.replace(bytes), ()) }
    }

    private func name(_ text: String) throws -> StoreName {
        guard let name = StoreName(text) else { throw Failure(description: "a plain name is a name") }
        return name
    }

    private func require(_ condition: Bool, _ expectation: String) throws {
        guard condition else { throw Failure(description: expectation) }
    }
}
