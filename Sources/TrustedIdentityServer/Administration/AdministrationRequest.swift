/// A request of an administrator, as the local socket carries it in JSON.
package enum AdministrationRequest: Codable, Sendable, Equatable {
    case createKey(scope: String, name: String, showsNumbers: Bool, domains: [String])
    /// The certificate in PEM.
    case allowCertificate(String, scope: String, name: String, showsNumbers: Bool, domains: [String])
    case listKeys
    case revokeKey(id: String)
    case showUser(String)
    case unblockUser(String)
    /// The accounts whose names begin with a text, after a name.
    case listUsers(prefix: String, after: String?, limit: Int)
    case eraseUser(String)
    case revokeDevice(user: String, id: String)
    case showDeviceData(user: String, id: String)
    /// The pending approval request with a request id or session id.
    case showApproval(id: String)
    case liftSuspensions
    case markRestored(nothingRevoked: Bool)
    case listPlatformKeys
    case listAuditCounts
    /// Compares the audit log with its tree, and with signed notes.
    case verifyAudit(checkpoints: [String])
    case signAuditCheckpoint
    /// A proof of the entry with a number.
    case proveAuditEntry(Int64)
    /// A proof from the number of entries of an earlier checkpoint.
    case proveAuditGrowth(since: Int64)
    /// The checkpoints that the platform keeps, of fewer entries than a number, up to a limit.
    case listAuditCheckpoints(before: Int64?, limit: Int)
    /// The keys that verify checkpoints of the audit log.
    case showAuditKeys
    /// Prunes entries of the audit log, which a file has: their numbers, the root of the log through the last one in
    /// hexadecimal, and the date of the export.
    case pruneAudit(first: Int64, last: Int64, root: String, before: String)
    /// Removes some rows of entries that were pruned.
    case removePrunedRows
    /// The seconds until the new keys are in use, and whether the clock may be behind.
    case rotatePlatformKeys(use: String, startingIn: Int64, ignoringClock: Bool)
    case exportPlatformKeys
    case showEvents
    case showMasterKeys
    /// Begins to replace the master key by the one at its place.
    case replaceMasterKey

    /// Whether the platform reads the whole audit log or all approval requests for the request, which takes longer than
    /// others.
    var readsWholeTable: Bool {
        switch self {
        case .verifyAudit, .proveAuditEntry, .proveAuditGrowth, .pruneAudit, .eraseUser: true
        default: false
        }
    }
}

/// The answer to an ``AdministrationRequest``.
package enum AdministrationReply: Codable, Sendable {
    /// An API key, without its secret.
    package struct Key: Codable, Sendable {
        package let id: String
        package let name: String
        package let scope: String
        package let showsNumbers: Bool
        package let domains: [String]
        package let createdAt: String
        package let revokedAt: String?
        package let isSuspended: Bool
    }

    /// The result of a restore that applied an exported audit log: a `RestoreReport`.
    package struct Restore: Codable, Sendable {
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
        /// The number of revocations of what the backup does not contain.
        package let unknown: Int
        /// The first 100 of these revocations: the event, and the account and device or the reason.
        package let unknownNames: [String]
    }

    /// An entry that the audit log does not list: an `AuditEntry`.
    /// The number of equal events in one hour that strangers can cause: an `AuditTally`.
    package struct AuditCount: Codable, Sendable {
        /// The beginning of the hour.
        package let hour: String
        package let event: String
        package let reason: String
        package let count: Int
    }

    /// The result of a comparison of the audit log with its tree: an `AuditVerification`.
    package struct AuditResult: Codable, Sendable {
        /// The number of the last entry.
        package let size: Int64
        /// The first 100 findings.
        package var findings: [AuditFinding]
        package var findingCount: Int
        /// The pruned part; nil for a log that was never pruned.
        package let pruned: AuditRoot?
        /// The roots of smaller sizes than that of the pruned part, which the files of the pruned entries have.
        package var uncompared: [AuditRoot]
    }

    /// A root of the tree of the audit log: an `AuditVerification.EarlierRoot`.
    package struct AuditRoot: Codable, Sendable {
        package let size: Int64
        /// 64 hexadecimal digits.
        package let root: String
    }

    /// A place where the audit log is not what the platform has written: an `AuditVerification.Finding`.
    package struct AuditFinding: Codable, Sendable {
        package enum Kind: String, Codable, Sendable {
            case foreignEntry, missingEntry, shorterThanCheckpoint, otherThanCheckpoint, changedTree,
                changedCheckpoint
        }

        package let kind: Kind
        /// The number of the entry, or the number of entries of the checkpoint or of the pruned part.
        package let number: Int64

        package init(kind: Kind, number: Int64) {
            self.kind = kind
            self.number = number
        }
    }

    /// A checkpoint that the platform keeps: a `KeptAuditCheckpoint`.
    package struct AuditCheckpoint: Codable, Sendable {
        package let size: Int64
        package let time: String
        /// The signed note.
        package let note: String
    }

    /// A key of the platform, without its private half.
    package struct PlatformKey: Codable, Sendable {
        /// The id in hexadecimal.
        package let kid: String
        package let use: String
        package let algorithm: String
        /// `announced`, `current`, `retired` or `erased`.
        package let state: String
        package let notBefore: String
        package let notAfter: String?
    }

    /// The reason why a request was refused.
    package enum Refusal: String, Codable, Sendable {
        case unknownKey, unknownUser, unknownDevice, alreadyRevoked, malformedUser, malformedDevice, unknownScope
        case malformedName, numbersForAdministrator, unknownEntry, unknownUse, keyAnnounced, clockBehind, malformedDelay
        case malformedLimit, malformedDomains, malformedCertificate, knownCertificate, unknownApproval
        case noNextMasterKey, usedMasterKey, replacementUnderWay
        case malformedDate, futureDate, nothingToPrune, changedLog, otherPart, prunedEntry
    }

    /// The delivery of events: an `EventStatus`.
    package struct Events: Codable, Sendable {
        /// Whether the configuration names a receiver.
        package let isRecording: Bool
        package let waiting: Int
        package let waitingSince: String?
        package let isFull: Bool
        /// The events that the receiver refuses again and again.
        package let parked: Int
        /// The failures in a row since the start of the server.
        package let failures: Int
        /// The status of the latest failure.
        package let answer: Int?
        package let deliveredAt: String?
    }

    /// The master keys of the data, and how far a replacement is: a `MasterKeyReport`.
    package struct MasterKeys: Codable, Sendable {
        package let id: String
        /// The id of the earlier master key while a replacement is under way.
        package let previousID: String?
        package let checkedRows: Int
        package let renewedRows: Int
    }

    /// An API key that was made. Only this reply ever shows the key itself.
    case created(id: String, scope: String, key: String)
    /// A certificate was allowed as the key with this id.
    case allowed(id: String, scope: String)
    case keys([Key])
    case account(AccountBody)
    case accounts([AccountSummaryBody])
    case erased(ErasureBody)
    case deviceData(DeviceDataBody)
    case approval(PendingApprovalBody)
    case done
    /// An exported audit log was applied.
    case applied(Restore)
    /// The restore cannot apply the file, for the reason that the message of an `AuditFileError` states.
    case fileRefused(message: String)
    /// The platform is marked as restored, and what was made before is suspended or not.
    case restored(isSuspended: Bool)
    case platformKeys([PlatformKey])
    case auditCounts([AuditCount])
    case auditVerified(AuditResult)
    /// The checkpoint with the position in the request is refused, for the reason that the message states.
    case checkpointRefused(index: Int, message: String)
    /// A signed checkpoint, and the key that verifies it.
    case auditCheckpoint(note: String, key: String)
    case auditCheckpoints([AuditCheckpoint])
    case auditProof(String)
    /// The keys that verify checkpoints, the present one and those that were replaced.
    case auditKeys([String])
    /// The entries are pruned, now or before.
    case auditPruned(isNew: Bool)
    /// The number of rows that are still to be removed; nil when all of them are.
    case prunedRows(left: Int64?)
    case statements(PlatformKeysBody)
    /// The keys after a rotation, and the number of their statement.
    case rotated(sequence: UInt64, keys: [PlatformKey])
    case events(Events)
    case masterKeys(MasterKeys)
    case refused(Refusal)
    /// The platform failed, with the name of the code of a `PlatformError` and a constant message.
    case failed(code: String, message: String)
}
