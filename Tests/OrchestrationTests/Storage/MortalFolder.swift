import Orchestration
import Synchronization

/// A folder on the disk whose process ends at a step: that step has no effect or half of its effect, and no later step
/// has one.
final class MortalFolder: StorageFolder {
    struct Death: Error {}

    private let folder: DiskFolder
    private let remaining: Mutex<Int>
    private let leavesHalf: Bool

    /// - Parameters:
    ///   - steps: The number of steps before the process ends.
    ///   - leavesHalf: Whether the last step has written half of its bytes.
    init(_ path: String, steps: Int, leavesHalf: Bool) throws {
        folder = try DiskFolder(path: path)
        remaining = Mutex(steps)
        self.leavesHalf = leavesHalf
    }

    var isDead: Bool { remaining.withLock { $0 < 0 } }

    private func step(half: () throws(OrchestrationError) -> Void = {}) throws(OrchestrationError) {
        let left = remaining.withLock { left in
            left -= 1
            return left
        }
        guard left < 0 else { return }
        if left == -1, leavesHalf { try half() }
        throw OrchestrationError(.storeUnavailable, underlying: Death())
    }

    func files() throws(OrchestrationError) -> [String] { try folder.files() }

    func read(_ file: String, limit: Int) throws(OrchestrationError) -> [UInt8]? {
        try step()
        return try folder.read(file, limit: limit)
    }

    func create(_ file: String, _ bytes: [UInt8]) throws(OrchestrationError) {
        try step { () throws(OrchestrationError) in try folder.create(file, Array(bytes.prefix(bytes.count / 2))) }
        try folder.create(file, bytes)
    }

    func synchronize(_ file: String) throws(OrchestrationError) {
        try step()
        try folder.synchronize(file)
    }

    func rename(_ file: String, to name: String) throws(OrchestrationError) {
        try step()
        try folder.rename(file, to: name)
    }

    func remove(_ file: String) throws(OrchestrationError) {
        try step()
        try folder.remove(file)
    }

    func synchronize() throws(OrchestrationError) {
        try step()
        try folder.synchronize()
    }

    func lock(_ file: String) throws(OrchestrationError) -> FolderLock? {
        try step()
        return try folder.lock(file)
    }
}
