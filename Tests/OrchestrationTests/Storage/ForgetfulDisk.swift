import Orchestration
import Synchronization

/// A disk that keeps only synchronized data when the power fails.
///
/// Other contents of files may be there in part. The names are those at the last synchronization of the folder, and the
/// first changes after it, as many as the caller chooses.
final class ForgetfulDisk: StorageFolder {
    private enum NameChange {
        case set(String, Int)
        case removed(String)
    }

    private struct Content {
        /// File contents by number, as they are and as they are on the disk.
        var bytes: [Int: [UInt8]] = [:]
        var kept: [Int: [UInt8]] = [:]
        var names: [String: Int] = [:]
        var keptNames: [String: Int] = [:]
        var changes: [NameChange] = []
        var steps = 0
        var limit = Int.max
    }

    struct PowerCut: Error {}

    private let content: Mutex<Content>

    init(files: [String: [UInt8]] = [:]) {
        var content = Content()
        for (number, (name, bytes)) in files.enumerated() {
            content.bytes[number] = bytes
            content.kept[number] = bytes
            content.names[name] = number
            content.keptNames[name] = number
        }
        self.content = Mutex(content)
    }

    /// Cuts the power before the step with this number, counted from 0.
    func cutPower(atStep step: Int) { content.withLock { $0.limit = step } }

    var steps: Int { content.withLock { $0.steps } }

    var pendingNameChanges: Int { content.withLock { $0.changes.count } }

    /// Returns the disk as it is found when the power is back.
    ///
    /// - Parameters:
    ///   - changes: The number of unsynchronized changes of names that have reached the disk.
    ///   - part: The part of unsynchronized contents that has reached the disk, in percent.
    func afterPowerCut(nameChanges changes: Int, percentOfContent part: Int) -> ForgetfulDisk {
        content.withLock { content in
            var names = content.keptNames
            for change in content.changes.prefix(changes) {
                switch change {
                case .set(let name, let number):
                    for other in names.keys where names[other] == number { names[other] = nil }
                    names[name] = number
                case .removed(let name): names[name] = nil
                }
            }
            var files: [String: [UInt8]] = [:]
            for (name, number) in names {
                let bytes = content.bytes[number] ?? []
                files[name] = content.kept[number] ?? Array(bytes.prefix(bytes.count * part / 100))
            }
            return ForgetfulDisk(files: files)
        }
    }

    private func step<R: Sendable>(_ body: (inout Content) -> R?) throws(OrchestrationError) -> R {
        let result: R? = content.withLock { content in
            guard content.steps < content.limit else { return nil }
            content.steps += 1
            return body(&content)
        }
        guard let result else { throw OrchestrationError(.storeUnavailable, underlying: PowerCut()) }
        return result
    }

    func files() throws(OrchestrationError) -> [String] { content.withLock { Array($0.names.keys) } }

    func read(_ file: String, limit: Int) throws(OrchestrationError) -> [UInt8]? {
        content.withLock { content in content.names[file].flatMap { content.bytes[$0] } }
    }

    func create(_ file: String, _ bytes: [UInt8]) throws(OrchestrationError) {
        try step { content -> Void? in
            guard content.names[file] == nil else { return nil }
            let number = content.bytes.count
            content.bytes[number] = bytes
            content.names[file] = number
            content.changes.append(.set(file, number))
            return ()
        }
    }

    func synchronize(_ file: String) throws(OrchestrationError) {
        try step { content -> Void? in
            guard let number = content.names[file] else { return nil }
            content.kept[number] = content.bytes[number]
            return ()
        }
    }

    func rename(_ file: String, to name: String) throws(OrchestrationError) {
        try step { content -> Void? in
            guard let number = content.names.removeValue(forKey: file) else { return nil }
            content.names[name] = number
            content.changes.append(.set(name, number))
            return ()
        }
    }

    func remove(_ file: String) throws(OrchestrationError) {
        try step { content -> Void? in
            guard content.names.removeValue(forKey: file) != nil else { return () }
            content.changes.append(.removed(file))
            return ()
        }
    }

    func synchronize() throws(OrchestrationError) {
        try step { content -> Void? in
            content.keptNames = content.names
            content.changes = []
            return ()
        }
    }

    func lock(_ file: String) throws(OrchestrationError) -> FolderLock? { FolderLock {} }
}
