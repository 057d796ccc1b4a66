internal import Primitives
internal import TrustedIdentity

extension ThrottleRecord: VersionedRecord {
    static let table = Table(
        "throttle", keys: ["account", "kind", "source"],
        columns: [
            "consecutive", "total", "level", "level_since", "blocked_until", "untold", "used_at", "version",
        ])

    var keyValues: [Value?] { key.values }

    var otherValues: [Value?] {
        [
            .count(consecutive), .count(total), .count(level), .time(levelSince), blockedUntil.map { .time($0) },
            .count(untold), .time(usedAt), .integer(version),
        ]
    }

    init(_ columns: inout Columns) throws {
        let key = ThrottleKey(account: try columns.text(), kind: try columns.word(), source: try columns.text())
        self.init(key: key, now: Timestamp(millisecondsSinceEpoch: 0))
        consecutive = try columns.number()
        total = try columns.number()
        level = try columns.number()
        levelSince = try columns.time()
        blockedUntil = try columns.timeIfAny()
        untold = try columns.number()
        usedAt = try columns.time()
        version = try columns.integer()
    }
}

extension ThrottleKey {
    /// The values of the key's columns.
    var values: [Value?] { [.text(account), .text(kind.rawValue), .text(source)] }
}
