internal import Logging
internal import Primitives

/// The store of a platform. A failure of the store is logged and becomes ``PlatformError`` with `storeFailed`.
///
/// The errors that the platform's own closures throw pass unchanged. These closures only look rows up and write, so
/// that every other error is one of the store.
struct LoggedStore: PlatformStore {
    let base: any PlatformStore
    let logger: Logger
    private let shed: ShedWrites

    init(base: any PlatformStore, time: any TimeSource, logger: Logger) {
        self.base = base
        self.logger = logger
        shed = ShedWrites(time: time, logger: logger)
    }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        do {
            return try await base.read(body)
        } catch let error where !error.isOfPlatform {
            throw failed(error)
        }
    }

    func health() async throws -> StoreHealth { try await base.health() }

    func maintain() async throws {
        do {
            try await base.maintain()
        } catch let error where !error.isOfPlatform {
            throw PlatformError.storeFailed(error, logger: logger)
        }
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        do {
            return try await base.write(body)
        } catch let error where !error.isOfPlatform {
            throw failed(error)
        }
    }

    private func failed(_ error: any Error) -> PlatformError {
        guard (error as? PlatformStoreError)?.code == .overloaded else {
            return PlatformError.storeFailed(error, logger: logger)
        }
        shed.add()
        return PlatformError(.storeFailed, underlying: error)
    }
}
