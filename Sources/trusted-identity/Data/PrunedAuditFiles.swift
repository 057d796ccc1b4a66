internal import CommandLine
internal import Primitives
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The files of pruned entries, compared with the database that they were pruned from.
struct PrunedAuditFiles {
    /// The paths of the files, in any order.
    let paths: [String]

    /// Verifies the files, and compares those roots of the log with them that the database cannot compare.
    ///
    /// - Parameter result: The result of the database. Roots that the files contain are removed from its list of
    ///   uncompared roots.
    /// - Returns: The number of the first entry of the files.
    /// - Throws: `ErrorReport` for a file that is not from this log, or if a file is missing between the others or at
    ///   the end.
    func verify(_ result: inout AuditVerificationBody, with administration: Administration) async throws -> Int64 {
        guard let pruned = result.pruned else {
            throw ErrorReport(.refused, "nothing was pruned from this audit log", hint: "leave --pruned out")
        }
        let keys: [String] = try await administration.send(.get, "v1/audit/keys")
        let sizes = Set(result.uncompared.map(\.size))
        var files: [(path: String, file: PrunedAuditFile)] = []
        for path in paths {
            do {
                let file = try await PrunedAuditFile(
                    reading: try FileChunks(path: path), verifierKeys: keys, sizes: sizes)
                files.append((path, file))
            } catch let error as AuditError where error.code != .malformedKey {
                throw ErrorReport(
                    .storage, "\(path): \(error.message)", hint: "use the file as audit prune has written it")
            }
        }
        files.sort { $0.file.part.first < $1.file.part.first }
        for (earlier, later) in zip(files, files.dropFirst()) {
            do {
                try later.file.requireFollowing(earlier.file)
            } catch {
                throw ErrorReport(
                    .refused, "\(later.path) does not begin where \(earlier.path) ends",
                    hint: "name the file of each pruning, or that of the latest one alone")
            }
        }
        guard let first = files.first, let last = files.last, last.file.part.last == pruned.size,
            Hex.encode(last.file.part.root) == pruned.root
        else {
            throw ErrorReport(
                .refused, "\(files.last?.path ?? "") does not end where the pruned part ends, at entry \(pruned.size)",
                hint: "name the file of the latest pruning, too")
        }
        result.compare(files.map(\.file))
        return first.file.part.first
    }
}

extension AuditVerificationBody {
    /// Compares the remaining roots with files.
    fileprivate mutating func compare(_ files: [PrunedAuditFile]) {
        var (others, left) = ([Root](), [Root]())
        for root in uncompared {
            let earlier = AuditVerification.EarlierRoot(size: root.size, root: (try? Hex.decode(root.root)) ?? [])
            switch files.lazy.compactMap({ $0.compare(earlier) }).first {
            case nil: left.append(root)
            case false?: others.append(root)
            case true?: break
            }
        }
        compared += uncompared.count - left.count
        uncompared = left
        findings += others.map { .init(kind: .otherThanCheckpoint, number: $0.size) }
        findingCount += others.count
    }
}
