package import Primitives

/// The subject of an account notice. Its number is used in messages and stores.
@nonexhaustive
public enum AccountNoticeKind: UInt64, Sendable, Hashable, CaseIterable, Codable {
    /// A device was activated.
    case deviceActivated = 1
    /// A device was revoked.
    case deviceRevoked = 2
    /// A device was locked.
    case deviceLocked = 3
    /// A locked device was unlocked.
    case deviceUnlocked = 4
    /// An unlock code was issued for a device.
    case unlockCodeIssued = 5
    /// A device sent its unlock code, and may set a new password.
    case unlockCodeUsed = 6
    /// A device began a move to another device.
    case moveStarted = 7
}

/// The wire form of an account notice, which the platform shows on all devices of the account.
package struct AccountNoticeForm: Sendable, Hashable {
    /// The number, 1 or more. A later notice of the account has a higher number.
    package var number: UInt64

    /// The number of a ``AccountNoticeKind``. A newer platform may have more.
    package var kind: UInt64

    /// The time by the platform's clock.
    package var time: Timestamp

    /// The id of the device that the notice is about, 16 bytes.
    package var device: [UInt8]

    package init(number: UInt64, kind: UInt64, time: Timestamp, device: [UInt8]) {
        self.number = number
        self.kind = kind
        self.time = time
        self.device = device
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 4)
        number = try reader.readNumber()
        kind = try reader.readNumber()
        time = try reader.readTime()
        device = try reader.readBytes(count: FieldSize.identifier)
    }

    func write(to output: inout some CBOROutput) {
        output.array(4)
        output.unsigned(number)
        output.unsigned(kind)
        output.time(time)
        output.bytes(device)
    }
}
