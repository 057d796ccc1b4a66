internal import Logging
public import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// The longest time between an announcement and the use of a key, in milliseconds: 366 days.
    private static let longestAnnouncement: Int64 = 366 * 86_400_000

    /// Replaces keys by new ones, and makes the next key statement, in one transaction.
    ///
    /// Devices learn of the new keys with the next answer that they get. A replaced sealing key opens every message for
    /// 30 more days, then `synchronize` only, until every device has confirmed a statement with its successor, and for
    /// at most 400 days. Make a backup afterwards: a previous backup lacks the new keys.
    ///
    /// Concurrent calls run one after another, and each makes a statement. A call that is canceled may have replaced
    /// the keys.
    ///
    /// - Parameters:
    ///   - use: The keys to replace.
    ///   - delay: The time until the new keys are in use, 0 to 366 days. Until then they are announced.
    ///   - ignoringClock: Whether to replace keys although the clock is behind the latest statement. The old keys then
    ///     end in the past, and devices that have not followed within 400 days of that time cannot. Use it only when
    ///     that statement was made with a clock that was ahead.
    /// - Returns: The latest statement.
    /// - Throws: ``PlatformError`` with `keyAnnounced` while one of the keys has a successor that is not in use yet,
    ///   `clockBehind` when the clock is more than 24 hours before the time of the latest statement,
    ///   `malformedRequest` for another delay, `alteredRow`, `wrongMasterKey`, `storeFailed`; `CancellationError`.
    @discardableResult
    public func rotateKeys(
        _ use: PlatformKeyUse, startingIn delay: Duration = .zero, ignoringClock: Bool = false
    ) async throws -> KeyStatementReport {
        let milliseconds = delay.wholeMilliseconds
        guard (0...Self.longestAnnouncement).contains(milliseconds) else { throw PlatformError(.malformedRequest) }
        let now = time.now()
        let start = now.advanced(milliseconds: milliseconds)
        let made = try await PlatformError.mapping {
            try use.kinds.map {
                try PlatformKeys.make($0, sealer: sealer, random: random, now: now, notBefore: start)
            }
        }
        // The end of a key never becomes later. A wrong clock would end the keys of all devices.
        let latestTime = keys.latest.time
        guard ignoringClock || latestTime.milliseconds(since: now) <= KeyStatement.tolerance else {
            throw PlatformError(.clockBehind)
        }
        let fresh = try await write { [sealer] store in
            let sequence = (try store.keyStatements(after: 0).last?.sequence ?? 0) + 1
            var keys = try store.platformKeys()
            for var key in made {
                guard let last = keys.lastIndex(where: { $0.kind == key.kind && $0.retiredAt == nil }) else {
                    throw PlatformError(.alteredRow)
                }
                guard keys[last].notBefore <= now else { throw PlatformError(.keyAnnounced) }
                // Two keys of a kind that begin at the same time would have no order.
                key.notBefore = max(start, keys[last].notBefore.advanced(milliseconds: 1))
                keys[last].retire(at: key.notBefore, replacedIn: sequence)
                try requireWritten(store.update(keys[last]))
                try requireWritten(store.insert(key))
                keys.append(key)
            }
            try PlatformKeys.insertStatement(of: keys, in: store, sealer: sealer, now: now)
            try store.append(AuditEntry(time: now, event: .platformKeysRotated, reason: use.rawValue))
            return try PlatformKeys(store.platformKeys(), store.keyStatements(after: 0), sealer: sealer)
        }
        keyRing.replace(by: fresh)
        logger.notice("keys of the platform were replaced", metadata: ["key.use": "\(use.rawValue)"])
        guard let latest = try fresh.reports().last else { throw PlatformError(.internal) }
        return latest
    }

    /// Returns the keys of the platform, by purpose and algorithm, the latest first.
    public func platformKeys() -> [PlatformKeyReport] {
        let now = time.now()
        return keys.records.map { PlatformKeyReport($0, at: now) }.sorted { a, b in
            (a.purpose.rawValue, a.algorithm, b.notBefore) < (b.purpose.rawValue, b.algorithm, a.notBefore)
        }
    }

    /// The number of the latest key statement.
    public var keyStatementNumber: UInt64 { keys.latest.sequence }

    /// Returns all key statements in ascending order. They are public.
    ///
    /// - Throws: ``PlatformError`` with `internal` for a fault of the library: the statements were verified when they
    ///   were read.
    public func keyStatements() throws -> [KeyStatementReport] { try keys.reports() }

    /// Returns the published keys, by which receipts are verified. A third party creates the same value from the key
    /// statements.
    ///
    /// - Throws: ``PlatformError`` with `internal` for a fault of the library: the statements were verified when they
    ///   were read.
    public func publishedKeys() throws -> PublishedKeys {
        let keys = keys
        do {
            return try PublishedKeys(statements: keys.statements, fingerprint: keys.latest.fingerprint)
        } catch {
            throw PlatformError(.internal, underlying: error)
        }
    }
}

extension PlatformKeys {
    /// The statements as they are published.
    func reports() throws -> [KeyStatementReport] {
        do {
            return try statements.map(KeyStatementReport.init)
        } catch {
            throw PlatformError(.internal, underlying: error)
        }
    }
}

extension PlatformKeyUse {
    /// The kinds of keys on this system.
    fileprivate var kinds: [PlatformKeys.Kind] {
        // Except for `all`, each raw value is the raw value of a purpose.
        PlatformKeys.Kind.supported.filter { self == .all || $0.purpose.rawValue == rawValue }
    }
}
