internal import CLibrary
internal import Logging

/// The limit of open files of the process (`RLIMIT_NOFILE`). Each connection is one.
enum OpenFileLimit {
    /// The files other than connections: the database, its readers, sockets and logs.
    private static let others = 256

    /// Raises the limit for a number of connections, as far as the system allows. Logs a warning if it is too low.
    static func raise(forConnections connections: Int, logger: Logger) {
        let needed = rlim_t(connections + others)
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(needed, limit.rlim_max)
            _ = unsafe setrlimit(resource, &limit)
            _ = unsafe getrlimit(resource, &limit)
        }
        guard limit.rlim_cur < needed else { return }
        logger.warning(
            "the limit of open files is too low for the setting connections: raise the limit, or lower the setting",
            metadata: ["files.limit": "\(limit.rlim_cur)", "files.needed": "\(needed)"])
    }
}
