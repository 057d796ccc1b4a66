internal import Primitives
internal import Wire

/// What the store keeps about the latest code that was tried in vain: CBOR [1, handle, number, time of the last].
struct ActivationTries: Sendable, Hashable {
    private static let version: UInt64 = 1

    /// The handle of the code, 15 bits.
    let handle: UInt16
    /// How many runs ended with a wrong tag.
    let number: UInt64
    /// When the last of them did, by the device's clock.
    let last: Timestamp

    init(handle: UInt16, number: UInt64, last: Timestamp) {
        self.handle = handle
        self.number = number
        self.last = last
    }

    /// Whether they are about a code with this handle that may still be alive.
    func count(of handle: UInt16, at now: Timestamp) -> Bool {
        self.handle == handle && areRecent(at: now)
    }

    /// A code lives ten minutes at the platform. After an hour whoever guessed one has guessed nothing, and another code
    /// may have the same handle.
    func areRecent(at now: Timestamp) -> Bool {
        now.milliseconds(since: last).magnitude < 3_600_000
    }
}

extension ActivationTries {
    /// `nil` for bytes that are damaged or of a newer version, which count nothing: the bound is there against a false
    /// platform, which cannot reach them.
    init?(_ bytes: [UInt8]) {
        do throws(WireError) {
            var reader = CBORReader(bytes)
            try reader.readArray(count: 4)
            guard try reader.readUnsigned() == Self.version else { return nil }
            handle = UInt16(try reader.readUnsigned(maximum: 0x7FFF))
            number = try reader.readUnsigned(maximum: 255)
            last = Timestamp(millisecondsSinceEpoch: try reader.readInteger())
            try reader.finish()
        } catch {
            return nil
        }
    }

    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 24)
        writer.array(4)
        writer.unsigned(Self.version)
        writer.unsigned(UInt64(handle))
        writer.unsigned(min(number, 255))
        writer.integer(last.millisecondsSinceEpoch)
        return writer.finish()
    }
}
