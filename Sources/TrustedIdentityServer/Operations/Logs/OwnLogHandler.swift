internal import Logging

/// A log handler that drops the entries of the libraries that serve HTTP and run services. Their texts are for the
/// developers of the libraries, and print whole Swift values.
struct OwnLogHandler: LogHandler {
    private static let libraries: Set = ["Hummingbird", "HummingbirdCore", "ServiceLifecycle"]

    private var base: any LogHandler

    init(_ base: any LogHandler) { self.base = base }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        guard !Self.libraries.contains(event.source) else { return }
        base.log(event: event)
    }
}

extension Logger {
    /// The logger for the libraries that serve HTTP and run services, and for the requests that they pass on.
    var quiet: Logger {
        var quiet = self
        quiet.handler = OwnLogHandler(handler)
        return quiet
    }
}
