internal import Logging

/// The store of a platform. A failure of the store is logged and becomes ``PlatformError`` with `storeFailed`.
///
/// The errors that the platform's own closures throw pass unchanged. These closures only look rows up and write, so
/// that every other error is one of the store.
struct LoggedStore: PlatformStore {
    let base: any PlatformStore
    let logger: Logger

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        do {
            return try await base.read(body)
        } catch let error where !error.isOfPlatform {
            throw PlatformError.storeFailed(error, logger: logger)
        }
    }

    func health() async throws -> StoreHealth { try await base.health() }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        do {
            return try await base.write(body)
        } catch let error where !error.isOfPlatform {
            throw PlatformError.storeFailed(error, logger: logger)
        }
    }
}
