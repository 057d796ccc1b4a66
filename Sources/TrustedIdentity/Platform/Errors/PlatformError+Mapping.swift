internal import Primitives

extension PlatformError {
    /// Runs code that calls other modules.
    ///
    /// - Throws: The platform's own errors; ``PlatformError`` with `internal` instead of an error of another module,
    ///   with the source location where that error was created.
    static func mapping<R>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let error where !error.isOfPlatform {
            throw PlatformError(failureOf: error)
        }
    }

    /// Creates the error for a failure of another module that no rule of the platform covers.
    init(failureOf error: any Error, fileID: String = #fileID, line: Int = #line) {
        let location = (error as? any CodedError)?.location ?? SourceLocation(fileID: fileID, line: line)
        self.init(.internal, underlying: error, fileID: location.fileID, line: location.line)
    }
}

extension Error {
    /// Whether the platform throws the error. Others are errors of the store or of another module.
    var isOfPlatform: Bool {
        self is PlatformError || self is AuditError || self is CancellationError || self is WriteConflict
            || self is OutdatedInput
    }
}
