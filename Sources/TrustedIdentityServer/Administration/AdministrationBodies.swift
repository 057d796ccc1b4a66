internal import Primitives
package import TrustedIdentity

/// The result of a request that returns a status only.
package struct StatusReply: Codable, Sendable {
    package let status: String
}

/// A page of accounts.
package struct AccountListBody: Codable, Sendable {
    package let users: [AccountSummary]
    /// The value of `after` for the next page; nil on the last page.
    package let next: String?
}

/// A request for an API key, or for a certificate that is accepted instead of a key.
package struct NewKeyRequest: Codable, Sendable {
    let scope: APIKeyScope
    let name: String
    let showsNumbers: Bool
    let domains: [String]
    /// In PEM.
    let certificate: String?

    package init(scope: APIKeyScope, name: String, showsNumbers: Bool, domains: [String], certificate: String?) {
        self.scope = scope
        self.name = name
        self.showsNumbers = showsNumbers
        self.domains = domains
        self.certificate = certificate
    }
}

/// A new API key.
package struct NewKeyBody: Codable, Sendable {
    package let id: String
    package let scope: APIKeyScope
    /// The key; nil for a certificate. No other reply shows it.
    package let key: String?
}

/// The API keys.
package struct APIKeyListBody: Codable, Sendable {
    package let keys: [APIKeyReport]
}

/// A request to mark the data as restored.
package struct RestoredRequest: Codable, Sendable {
    let nothingRevoked: Bool

    package init(nothingRevoked: Bool) { self.nothingRevoked = nothingRevoked }
}

/// The result of marking the data as restored.
package struct RestoredBody: Codable, Sendable {
    package let status: String
    /// `all` or `nothing`.
    package let suspended: String
}

/// The result of a restore that applied an exported audit log.
package struct RestoreBody: Codable, Sendable {
    /// Whether the platform had been marked as restored before.
    package let isLater: Bool
    /// The number of devices that were revoked again.
    package let devices: Int
    /// The number of API keys that were revoked again.
    package let apiKeys: Int
    /// The number of static passwords that were ended again.
    package let staticPasswords: Int
    /// The number of accounts that were removed again.
    package let accounts: Int
    /// The number of revocations whose object the backup does not contain.
    package let unknown: Int
    /// The first 100 of these revocations: the event, and the account and device or the reason.
    package let unknownNames: [String]

    init(_ report: RestoreReport) {
        isLater = report.isLater
        devices = report.devices
        apiKeys = report.apiKeys
        staticPasswords = report.staticPasswords
        accounts = report.accounts
        unknown = report.unknown.count
        unknownNames = report.unknown.prefix(100).map { entry in
            let account = entry.account ?? entry.subject.map { "subject " + Hex.encode($0) }
            let names = [account, entry.device.map { Hex.encode($0) }].compactMap(\.self)
            return ([entry.event.rawValue] + (names.isEmpty ? [entry.reason] : names)).joined(separator: " ")
        }
    }
}

/// A platform key, without the private key.
package struct PlatformKeyBody: Codable, Sendable {
    /// The id in hexadecimal.
    package let kid: String
    package let use: String
    package let algorithm: String
    /// `announced`, `current`, `retired` or `erased`.
    package let state: String
    package let notBefore: String
    package let notAfter: String?

    init(_ report: PlatformKeyReport) {
        kid = Hex.encode(report.id)
        use = report.purpose.rawValue
        algorithm = report.algorithm
        state = report.state.rawValue
        notBefore = report.notBefore.rfc3339
        notAfter = report.notAfter?.rfc3339
    }
}

/// A request to replace platform keys.
package struct RotationRequest: Codable, Sendable {
    let use: String
    /// In seconds.
    let startingIn: Int64
    /// Whether the clock may be behind the latest statement.
    let ignoringClock: Bool

    package init(use: PlatformKeyUse, startingIn: Int64, ignoringClock: Bool) {
        self.use = use.rawValue
        self.startingIn = startingIn
        self.ignoringClock = ignoringClock
    }
}

/// The keys after a rotation, and the number of their statement.
package struct RotationBody: Codable, Sendable {
    package let statement: UInt64
    package let keys: [PlatformKeyBody]
}

/// A signed checkpoint of the audit log, and the key that verifies it.
package struct SignedCheckpointBody: Codable, Sendable {
    package let note: String
    package let key: String
}

/// Checkpoints that the platform keeps.
package struct AuditCheckpointListBody: Codable, Sendable {
    package let checkpoints: [AuditCheckpointBody]
}

/// A checkpoint that the platform keeps.
package struct AuditCheckpointBody: Codable, Sendable {
    package let size: Int64
    package let time: String
    /// The signed note.
    package let note: String

    init(_ kept: KeptAuditCheckpoint) {
        size = kept.checkpoint.size
        time = kept.createdAt.rfc3339
        note = kept.checkpoint.note
    }
}

/// A proof of an entry of the audit log, or of the log's growth.
package struct AuditProofBody: Codable, Sendable {
    package let proof: String
}

/// A request to prune audit log entries that a file contains.
package struct PruningRequest: Codable, Sendable {
    let first: Int64
    let last: Int64
    /// The root of the log through the last entry, in hexadecimal.
    let root: String
    /// The date of the export.
    let before: String

    package init(_ part: AuditPart, before: String) {
        first = part.first
        last = part.last
        root = Hex.encode(part.root)
        self.before = before
    }
}

/// The progress of a pruning.
package struct PrunedRowsBody: Codable, Sendable {
    /// The number of rows that are still to be removed; nil when all of them are.
    package let left: Int64?
}

/// The checkpoints with which the audit log is compared, as signed notes.
package struct VerificationRequest: Codable, Sendable {
    let checkpoints: [String]

    package init(checkpoints: [String]) { self.checkpoints = checkpoints }
}

/// The result of a comparison of the audit log with its tree.
package struct AuditVerificationBody: Codable, Sendable {
    /// A root of the audit log's tree.
    package struct Root: Codable, Sendable {
        package let size: Int64
        /// 64 hexadecimal digits.
        package let root: String

        init(_ root: AuditVerification.EarlierRoot) {
            size = root.size
            self.root = Hex.encode(root.root)
        }
    }

    /// A place where the audit log differs from what the platform has written.
    package struct Finding: Codable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case foreignEntry, missingEntry, shorterThanCheckpoint, otherThanCheckpoint, otherLog, changedTree,
                changedCheckpoint
        }

        package let kind: Kind
        /// The number of the entry, or the number of entries of the checkpoint or of the pruned part.
        package let number: Int64

        package init(kind: Kind, number: Int64) {
            self.kind = kind
            self.number = number
        }

        init(_ finding: AuditVerification.Finding) {
            (kind, number) =
                switch finding {
                case .foreignEntry(let number): (.foreignEntry, number)
                case .missingEntry(let number): (.missingEntry, number)
                case .shorterThanCheckpoint(let size): (.shorterThanCheckpoint, size)
                case .otherThanCheckpoint(let size): (.otherThanCheckpoint, size)
                case .otherLog(let size): (.otherLog, size)
                case .changedTree: (.changedTree, 0)
                case .changedCheckpoint(let size): (.changedCheckpoint, size)
                }
        }
    }

    /// The origin of the log: the first line of its checkpoints.
    package let origin: String
    /// The number of the last entry.
    package let size: Int64
    /// The root of the tree over all entries, 64 hexadecimal digits; empty when an entry is missing.
    package let root: String
    /// The time of the last entry; nil for a log without entries.
    package let lastEntry: String?
    /// The id of the key that has signed the checkpoint over the tree, 8 hexadecimal digits; empty for none.
    package let key: String
    /// The number of checkpoints that were compared.
    package var compared: Int
    /// The first 100 findings.
    package var findings: [Finding]
    package var findingCount: Int
    /// The pruned part; nil for a log that was never pruned.
    package let pruned: Root?
    /// The roots of smaller sizes than the pruned part. The files of the pruned entries contain them.
    package var uncompared: [Root]

    init(_ result: AuditVerification) {
        origin = result.origin
        size = result.size
        root = Hex.encode(result.root)
        lastEntry = result.lastEntryTime?.rfc3339
        key = Hex.encode(result.keyID)
        compared = result.checkpointCount
        findings = result.findings.map(Finding.init)
        findingCount = result.findingCount
        pruned = result.pruned.map(Root.init)
        uncompared = result.uncompared.map(Root.init)
    }
}
