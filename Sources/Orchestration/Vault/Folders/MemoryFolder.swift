internal import Synchronization

/// A folder in memory, for values and device keys that end with the process.
package final class MemoryFolder: StorageFolder {
    private struct Content {
        var files: [String: [UInt8]] = [:]
        var locked: Set<String> = []
    }

    private let content = Mutex(Content())

    package init() {}

    /// Returns a folder with the same files, without locks.
    func copy() -> MemoryFolder {
        let copy = MemoryFolder()
        let files = content.withLock { $0.files }
        copy.content.withLock { $0.files = files }
        return copy
    }

    package func files() throws(OrchestrationError) -> [String] { content.withLock { Array($0.files.keys) } }

    package func read(_ file: String, limit: Int) throws(OrchestrationError) -> [UInt8]? {
        guard let bytes = content.withLock({ $0.files[file] }) else { return nil }
        guard bytes.count <= limit else { throw OrchestrationError(.storeCorrupt) }
        return bytes
    }

    /// Changes a file in one step, which excludes every other access to the folder.
    func change<R>(_ file: String, _ body: (_ current: [UInt8]?) throws -> (StoreChange, R)) throws -> R {
        try content.withLock { content in
            let (change, result) = try body(content.files[file])
            switch change {
            case .keep: break
            case .replace(let bytes):
                guard bytes.count <= maximumStoredBytes else { throw OrchestrationError(.invalidArgument) }
                content.files[file] = bytes
            case .delete: content.files[file] = nil
            }
            return result
        }
    }

    package func create(_ file: String, _ bytes: [UInt8]) throws(OrchestrationError) {
        let isNew = content.withLock { content in
            guard content.files[file] == nil else { return false }
            content.files[file] = bytes
            return true
        }
        guard isNew else { throw OrchestrationError(.storeUnavailable) }
    }

    package func synchronize(_ file: String) throws(OrchestrationError) {}

    package func rename(_ file: String, to name: String) throws(OrchestrationError) {
        let isThere = content.withLock { content in
            guard let bytes = content.files.removeValue(forKey: file) else { return false }
            content.files[name] = bytes
            return true
        }
        guard isThere else { throw OrchestrationError(.storeUnavailable) }
    }

    package func remove(_ file: String) throws(OrchestrationError) {
        content.withLock { $0.files[file] = nil }
    }

    package func synchronize() throws(OrchestrationError) {}

    package func lock(_ file: String) throws(OrchestrationError) -> FolderLock? {
        guard content.withLock({ $0.locked.insert(file).inserted }) else { return nil }
        return FolderLock { [self] in
            content.withLock { _ = $0.locked.remove(file) }
        }
    }
}
