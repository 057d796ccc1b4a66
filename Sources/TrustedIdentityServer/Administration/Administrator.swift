internal import Primitives
package import TrustedIdentity

/// The administration of a platform in this process.
package struct Administrator: Sendable {
    let platform: Platform
    private let defaultDomain: String
    private let nextMasterKey: @Sendable () -> MasterKey?

    /// Creates the administration of a platform.
    ///
    /// - Parameters:
    ///   - defaultDomain: The domain of users that are named without one.
    ///   - nextMasterKey: A closure that reads the key by which the master key is replaced; nil where there is none.
    init(platform: Platform, defaultDomain: String, nextMasterKey: @escaping @Sendable () -> MasterKey? = { nil }) {
        self.platform = platform.acting(for: AuditOrigin(actor: .administrator))
        self.defaultDomain = defaultDomain
        self.nextMasterKey = nextMasterKey
    }

    /// Returns the same administration for one request, which the audit log names.
    func acting(correlationID: String) -> Administrator {
        Administrator(acting: AuditOrigin(actor: .administrator, correlationID: correlationID), self)
    }

    private init(acting origin: AuditOrigin, _ administrator: Administrator) {
        platform = administrator.platform.acting(for: origin)
        defaultDomain = administrator.defaultDomain
        nextMasterKey = administrator.nextMasterKey
    }

    /// Performs a request.
    ///
    /// - Returns: The reply. A request that is not carried out has one, too.
    /// - Throws: ``PlatformError`` when the platform fails.
    package func perform(_ request: AdministrationRequest) async throws -> AdministrationReply {
        do {
            return try await reply(to: request)
        } catch is AccountNameError {
            return .refused(.malformedUser)
        } catch let error as PlatformError where error.code == .unknownUser {
            return .refused(.unknownUser)
        } catch let error as PlatformError where error.code == .unknownDevice {
            return .refused(.unknownDevice)
        } catch let error as PlatformError where error.code == .alreadyRevoked {
            return .refused(.alreadyRevoked)
        } catch let error as PlatformError where error.code == .unknownAPIKey {
            return .refused(.unknownKey)
        } catch let error as PlatformError where error.code == .keyAnnounced {
            return .refused(.keyAnnounced)
        } catch let error as PlatformError where error.code == .clockBehind {
            return .refused(.clockBehind)
        } catch let error as PlatformError where error.code == .prunedEntry {
            return .refused(.prunedEntry)
        } catch let error as AuditPruningError {
            return .refused(.init(error))
        } catch let error as PlatformError where error.code == .malformedRequest {
            if case .rotatePlatformKeys = request { return .refused(.malformedDelay) }
            if case .replaceMasterKey = request { return .refused(.usedMasterKey) }
            return .refused(.malformedName)
        }
    }

    /// Applies an exported audit log after a restore.
    ///
    /// - Parameter file: The bytes of the file.
    /// - Returns: The reply, also for a file that is refused.
    /// - Throws: ``PlatformError`` when the platform fails; the errors of the file.
    package func restore<File: AsyncSequence>(applying file: File) async throws -> AdministrationReply
    where File.Element == [UInt8] {
        do {
            return .applied(AdministrationReply.Restore(try await platform.markRestored(applying: file)))
        } catch let error as AuditFileError {
            return .fileRefused(message: error.message)
        }
    }

    /// Begins an export of the audit log.
    ///
    /// - Parameter first: The number of the first entry; nil for the first one that was not pruned.
    /// - Returns: The reply to an export that is refused.
    /// - Throws: ``PlatformError`` when the platform fails.
    package func exportAudit(from first: Int64?) async throws -> Result<AuditExport, ExportRefusal> {
        do {
            return .success(try await platform.exportAudit(from: first))
        } catch let error as PlatformError where error.code == .malformedRequest {
            return .failure(ExportRefusal(reply: .refused(.unknownEntry)))
        } catch let error as PlatformError where error.code == .prunedEntry {
            return .failure(ExportRefusal(reply: .refused(.prunedEntry)))
        }
    }

    /// Begins an export of the entries of the audit log before a date, in order to prune them.
    ///
    /// - Returns: The reply to an export that is refused.
    /// - Throws: ``PlatformError`` when the platform fails.
    package func exportAudit(before date: String) async throws -> Result<AuditExport, ExportRefusal> {
        guard let time = Timestamp(dayOrTime: date) else {
            return .failure(ExportRefusal(reply: .refused(.malformedDate)))
        }
        do {
            return .success(try await platform.exportAudit(before: time))
        } catch let error as AuditPruningError {
            return .failure(ExportRefusal(reply: .refused(.init(error))))
        }
    }

    /// Makes an extract of the audit log.
    ///
    /// - Parameter user: The user of the entries.
    /// - Returns: The reply to an extract that is refused.
    /// - Throws: ``PlatformError`` when the platform fails.
    package func auditExtract(of user: String) async throws -> Result<AuditExtract, ExportRefusal> {
        do {
            return .success(try await platform.auditExtract(of: account(user)))
        } catch is AccountNameError {
            return .failure(ExportRefusal(reply: .refused(.malformedUser)))
        } catch let error as PlatformError where error.code == .unknownUser {
            return .failure(ExportRefusal(reply: .refused(.unknownUser)))
        }
    }

    private func prune(_ part: AuditPart?, before date: String) async throws -> AdministrationReply {
        guard let part else { return .refused(.otherPart) }
        guard let time = Timestamp(dayOrTime: date) else { return .refused(.malformedDate) }
        return .auditPruned(isNew: try await platform.pruneAudit(part, before: time))
    }

    private func reply(to request: AdministrationRequest) async throws -> AdministrationReply {
        switch request {
        case .createKey(let scope, let name, let showsNumbers, let domains):
            guard let scope = APIKeyScope(rawValue: scope) else { return .refused(.unknownScope) }
            guard !showsNumbers || scope == .applicationServer else { return .refused(.numbersForAdministrator) }
            guard APIKeyRecord.normalized(domains: domains) != nil else { return .refused(.malformedDomains) }
            let key = try await platform.createAPIKey(
                scope: scope, name: name, showsNumbers: showsNumbers, domains: domains)
            return .created(id: key.id, scope: scope.rawValue, key: key.secret)
        case .allowCertificate(let pem, let scope, let name, let showsNumbers, let domains):
            guard let certificate = ClientCertificate(pem: pem) else { return .refused(.malformedCertificate) }
            guard let scope = APIKeyScope(rawValue: scope) else { return .refused(.unknownScope) }
            guard !showsNumbers || scope == .applicationServer else { return .refused(.numbersForAdministrator) }
            guard APIKeyRecord.normalized(domains: domains) != nil else { return .refused(.malformedDomains) }
            let id = try await platform.allowCertificate(
                certificate.hash, scope: scope, name: name, showsNumbers: showsNumbers, domains: domains)
            return id.map { .allowed(id: $0, scope: scope.rawValue) } ?? .refused(.knownCertificate)
        case .listKeys:
            return .keys(try await platform.apiKeys().map(AdministrationReply.Key.init))
        case .revokeKey(let id):
            try await platform.revokeAPIKey(id)
            return .done
        case .showUser(let user):
            guard let report = try await platform.account(account(user)) else { return .refused(.unknownUser) }
            return .account(AccountBody(report))
        case .unblockUser(let user):
            try await platform.liftBlocks(of: account(user))
            return .done
        case .listUsers(let prefix, let after, let limit):
            guard (1...1_000).contains(limit) else { return .refused(.malformedLimit) }
            return .accounts(
                try await platform.accounts(withPrefix: prefix, after: after, limit: limit).map(AccountSummaryBody.init)
            )
        case .eraseUser(let user):
            return .erased(ErasureBody(try await platform.erase(account(user))))
        case .revokeDevice(let user, let id):
            let account = try account(user)
            guard let id = DeviceID.decode(id) else { return .refused(.malformedDevice) }
            try await platform.revokeDevice(id, of: account, requestedBy: .administrator)
            return .done
        case .showDeviceData(let user, let id):
            let account = try account(user)
            guard let id = DeviceID.decode(id) else { return .refused(.malformedDevice) }
            return .deviceData(DeviceDataBody(try await platform.deviceData(of: id, of: account)))
        case .showApproval(let id):
            guard let approval = try await platform.pendingApproval(named: id) else {
                return .refused(.unknownApproval)
            }
            return .approval(PendingApprovalBody(approval))
        case .liftSuspensions:
            try await platform.liftSuspensions()
            return .done
        case .markRestored(let nothingRevoked):
            try await platform.markRestored(revocations: nothingRevoked ? .nothingRevoked : .unknown)
            return .restored(isSuspended: !nothingRevoked)
        case .listPlatformKeys:
            return .platformKeys(platform.platformKeys().map(AdministrationReply.PlatformKey.init))
        case .listAuditCounts:
            return .auditCounts(try await platform.auditTallies(limit: 1_000).map(AdministrationReply.AuditCount.init))
        case .verifyAudit(let notes):
            return try await verifyAudit(against: notes)
        case .signAuditCheckpoint:
            let (checkpoint, key) = try await platform.auditCheckpointWithKey()
            return .auditCheckpoint(note: checkpoint.note, key: key)
        case .proveAuditEntry(let number):
            guard let proof = try await platform.proveAudit(entry: number) else { return .refused(.unknownEntry) }
            return .auditProof(proof.text)
        case .proveAuditGrowth(let size):
            guard let proof = try await platform.proveAudit(since: size) else { return .refused(.unknownEntry) }
            return .auditProof(proof.text)
        case .listAuditCheckpoints(let size, let limit):
            guard (1...1_000).contains(limit) else { return .refused(.malformedLimit) }
            return .auditCheckpoints(
                try await platform.auditCheckpoints(before: size, limit: limit)
                    .map(AdministrationReply.AuditCheckpoint.init))
        case .showAuditKeys:
            return .auditKeys(platform.auditVerifierKeys)
        case .pruneAudit(let first, let last, let root, let date):
            let part = (try? Hex.decode(root)).map { AuditPart(first: first, last: last, root: $0) }
            return try await prune(part, before: date)
        case .removePrunedRows:
            return .prunedRows(left: try await platform.removePrunedRows())
        case .rotatePlatformKeys(let use, let delay, let ignoringClock):
            guard let use = PlatformKeyUse(rawValue: use) else { return .refused(.unknownUse) }
            let statement = try await platform.rotateKeys(
                use, startingIn: .seconds(delay), ignoringClock: ignoringClock)
            return .rotated(
                sequence: statement.sequence,
                keys: platform.platformKeys().map(AdministrationReply.PlatformKey.init))
        case .exportPlatformKeys:
            return .statements(
                PlatformKeysBody(statements: try platform.keyStatements().map(KeyStatementBody.init)))
        case .showEvents:
            return .events(AdministrationReply.Events(try await platform.eventStatus()))
        case .showMasterKeys:
            return .masterKeys(AdministrationReply.MasterKeys(platform.masterKeyReport))
        case .replaceMasterKey:
            guard let key = nextMasterKey() else { return .refused(.noNextMasterKey) }
            if try await platform.replaceMasterKey(with: key) == .underWay { return .refused(.replacementUnderWay) }
            return .masterKeys(AdministrationReply.MasterKeys(platform.masterKeyReport))
        }
    }

    /// Does a part of the work of a replacement of the master key, in a process that serves nothing.
    package func continueReplacement() async throws { try await Maintenance(platform).runOnce() }

    private func verifyAudit(against notes: [String]) async throws -> AdministrationReply {
        var checkpoints: [AuditCheckpoint] = []
        for (index, note) in notes.enumerated() {
            do {
                checkpoints.append(try platform.checkpoint(of: note))
            } catch {
                return .checkpointRefused(index: index, message: error.message)
            }
        }
        return .auditVerified(AdministrationReply.AuditResult(try await platform.verifyAudit(against: checkpoints)))
    }

    private func account(_ user: String) throws(AccountNameError) -> AccountName {
        try AccountName(text: user, defaultDomain: defaultDomain)
    }
}

extension AdministrationReply.AuditCount {
    init(_ tally: AuditTally) {
        hour = tally.hour.rfc3339
        event = tally.event.rawValue
        reason = tally.reason
        count = tally.count
    }
}

extension AdministrationReply.Events {
    init(_ status: EventStatus) {
        isRecording = status.isRecording
        waiting = status.waiting
        waitingSince = status.waitingSince?.rfc3339
        isFull = status.isFull
        parked = status.parked
        failures = status.failures
        answer = status.answer
        deliveredAt = status.deliveredAt?.rfc3339
    }
}

extension AdministrationReply.MasterKeys {
    init(_ report: MasterKeyReport) {
        id = report.id
        previousID = report.previousID
        checkedRows = report.checkedRows
        renewedRows = report.renewedRows
    }
}

extension AdministrationReply.AuditResult {
    init(_ result: AuditVerification) {
        size = result.size
        findings = result.findings.map(AdministrationReply.AuditFinding.init)
        findingCount = result.findingCount
        pruned = result.pruned.map(AdministrationReply.AuditRoot.init)
        uncompared = result.uncompared.map(AdministrationReply.AuditRoot.init)
    }
}

extension AdministrationReply.AuditRoot {
    init(_ root: AuditVerification.EarlierRoot) {
        size = root.size
        self.root = Hex.encode(root.root)
    }
}

extension AdministrationReply.Refusal {
    init(_ error: AuditPruningError) {
        self =
            switch error.code {
            case .futureTime: .futureDate
            case .nothingToPrune: .nothingToPrune
            case .changedLog: .changedLog
            default: .otherPart
            }
    }
}

/// The reply to an export of the audit log that is refused.
package struct ExportRefusal: Error {
    package let reply: AdministrationReply
}

extension Timestamp {
    /// Reads a day, as the beginning of the day in UTC, or a time as in RFC 3339.
    fileprivate init?(dayOrTime text: String) {
        self.init(rfc3339: text.utf8.count == "2026-01-01".utf8.count ? text + "T00:00:00Z" : text)
    }
}

extension AdministrationReply.AuditFinding {
    init(_ finding: AuditVerification.Finding) {
        (kind, number) =
            switch finding {
            case .foreignEntry(let number): (.foreignEntry, number)
            case .missingEntry(let number): (.missingEntry, number)
            case .shorterThanCheckpoint(let size): (.shorterThanCheckpoint, size)
            case .otherThanCheckpoint(let size): (.otherThanCheckpoint, size)
            case .changedTree: (.changedTree, 0)
            case .changedCheckpoint(let size): (.changedCheckpoint, size)
            }
    }
}

extension AdministrationReply.AuditCheckpoint {
    init(_ kept: KeptAuditCheckpoint) {
        size = kept.checkpoint.size
        time = kept.createdAt.rfc3339
        note = kept.checkpoint.note
    }
}

extension AdministrationReply.PlatformKey {
    init(_ report: PlatformKeyReport) {
        kid = Hex.encode(report.id)
        use = report.purpose.rawValue
        algorithm = report.algorithm
        state = report.state.rawValue
        notBefore = report.notBefore.rfc3339
        notAfter = report.notAfter?.rfc3339
    }
}

extension AdministrationReply.Key {
    init(_ report: APIKeyReport) {
        id = report.id
        name = report.name
        scope = report.scope.rawValue
        showsNumbers = report.showsNumbers
        domains = report.domains
        createdAt = report.createdAt.rfc3339
        revokedAt = report.revokedAt?.rfc3339
        isSuspended = report.isSuspended
    }
}

extension AdministrationReply.Restore {
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
