internal import OrchestrationProtocol
internal import Primitives

/// The record of the device data that was sent for a user: the hash of the latest data, and the ledger. It contains no
/// values.
package struct SentDeviceData: Sendable, Hashable {
    /// The data that the platform has, or has refused.
    package struct Latest: Sendable, Hashable {
        /// The SHA-256 of the data, 32 bytes.
        var hash: [UInt8]
        /// The time when the data was sent in full, by the device's clock.
        var sentAt: Timestamp
        /// Whether the platform has refused the data.
        var isRefused: Bool
    }

    /// One sending in full.
    package struct Entry: Sendable, Hashable {
        /// The time of the sending.
        var time: Timestamp
        /// The last time when the hash of the data was sent, to the hour.
        var lastNamed: Timestamp?
        /// The fields, one bit for each number.
        var fields: UInt64
        /// The fields of which a keyed hash was sent.
        var hashed: UInt64
        /// Whether the data was in a separate message, which the app sends.
        var isMessage: Bool
    }

    /// The maximum number of entries. One more removes the oldest.
    static let maximumEntries = 32
    /// The maximum length of the encoding in bytes.
    static let maximumEncodedBytes = 2_048
    /// The age at which data is sent in full again, in milliseconds.
    private static let lifetime: Int64 = 86_400_000
    /// The minimum distance of two values of ``Entry/lastNamed``, in milliseconds.
    private static let hour: Int64 = 3_600_000

    /// The latest data; `nil` when the next request must carry the data in full.
    var latest: Latest?
    /// The sendings, the oldest first.
    var entries: [Entry] = []

    package init() {}

    /// The form in which data is sent.
    enum Form: Sendable, Hashable {
        case full
        case hash
        /// The platform has refused this data. It is not sent again.
        case nothing
    }

    /// Returns the form for data.
    ///
    /// - Parameters:
    ///   - hash: The SHA-256 of the data.
    ///   - now: The time by the device's clock. A clock that was set back makes data old.
    func form(of hash: [UInt8], at now: Timestamp) -> Form {
        guard let latest, latest.hash == hash, (0..<Self.lifetime).contains(now.milliseconds(since: latest.sentAt))
        else {
            return .full
        }
        return latest.isRefused ? .nothing : .hash
    }

    /// Enters a sending in full, before it.
    ///
    /// - Parameters:
    ///   - isMessage: Whether the data is in a separate message.
    ///   - hasApplicationData: Whether that message contains application data next to its device data.
    mutating func enter(
        _ data: DeviceData, at now: Timestamp, isMessage: Bool = false, hasApplicationData: Bool = false
    ) {
        var (fields, hashed) = (UInt64(0), UInt64(0))
        for (number, value) in data.values where number < 64 {
            fields |= 1 << number
            if case .hash = value { hashed |= 1 << number }
        }
        if hasApplicationData { fields |= 1 << DeviceDataField.applicationData.rawValue }
        entries.append(Entry(time: now, lastNamed: nil, fields: fields, hashed: hashed, isMessage: isMessage))
        guard entries.count > Self.maximumEntries else { return }
        // The entry of the data that requests name by its hash stays, regardless of the number of later messages.
        let named = entries.lastIndex { !$0.isMessage }
        entries.remove(at: named == 0 ? 1 : 0)
    }

    /// Enters a sending as a hash, before it.
    mutating func enterHash(at now: Timestamp) {
        guard let place = entries.lastIndex(where: { !$0.isMessage }) else { return }
        let last = entries[place].lastNamed ?? entries[place].time
        if now.milliseconds(since: last).magnitude >= UInt64(Self.hour) { entries[place].lastNamed = now }
    }
}

extension SentDeviceData {
    /// The encoding: `[latest, [entry, …]]`.
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64 + entries.count * 48)
        writer.array(2)
        if let latest {
            writer.array(3)
            writer.bytes(latest.hash)
            writer.integer(latest.sentAt.millisecondsSinceEpoch)
            writer.boolean(latest.isRefused)
        } else {
            writer.null()
        }
        writer.array(entries.count)
        for entry in entries {
            writer.array(5)
            writer.integer(entry.time.millisecondsSinceEpoch)
            if let lastNamed = entry.lastNamed {
                writer.integer(lastNamed.millisecondsSinceEpoch)
            } else {
                writer.null()
            }
            writer.unsigned(entry.fields)
            writer.unsigned(entry.hashed)
            writer.boolean(entry.isMessage)
        }
        return writer.finish()
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 2)
        if try !reader.readIfNull() {
            try reader.readArray(count: 3)
            latest = Latest(
                hash: try reader.readBytes(count: 32),
                sentAt: Timestamp(millisecondsSinceEpoch: try reader.readInteger()),
                isRefused: try reader.readBoolean())
        }
        for _ in 0..<(try reader.readArray(maximum: Self.maximumEntries)) {
            try reader.readArray(count: 5)
            entries.append(
                Entry(
                    time: Timestamp(millisecondsSinceEpoch: try reader.readInteger()),
                    lastNamed: try reader.readIfNull()
                        ? nil : Timestamp(millisecondsSinceEpoch: try reader.readInteger()),
                    fields: try reader.readUnsigned(), hashed: try reader.readUnsigned(),
                    isMessage: try reader.readBoolean()))
        }
        try reader.finish()
    }
}
