internal import Logging

extension PlatformError {
    /// Creates the error of a store that failed, and logs the failure: its kind and the database's code for it, with
    /// the correlation id of the request.
    ///
    /// A failure is logged here and nowhere else, except for writes that are refused under load; see ``ShedWrites``.
    /// The text of an error below is never logged, because it could contain anything. The correlation id is the
    /// metadata `correlation.id` of the task-local logger, which the server binds for each request; see
    /// `withLogger(_:_:)` of swift-log.
    ///
    /// - Parameters:
    ///   - error: The error of the store. One of an unknown type counts as `other`, and its type is logged.
    ///   - logger: The logger of the platform.
    static func storeFailed(_ error: any Error, logger: Logger) -> PlatformError {
        var metadata: Logger.Metadata = [:]
        if let failure = error as? StoreError {
            metadata["store.error"] = "\(failure.code)"
            metadata["store.result-code"] = failure.resultCode.map { .string($0) }
        } else {
            metadata["store.error"] = "\(StoreError.Code.other)"
            metadata["error.type"] = "\(type(of: error))"
        }
        metadata["correlation.id"] = Logger.current[metadataKey: "correlation.id"]
        logger.error("store failed", metadata: metadata)
        return PlatformError(.storeFailed, underlying: error)
    }
}
