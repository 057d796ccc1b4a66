public import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An entry of the ledger of device data: one time at which a user's data was sent in full. It contains no values.
public struct DeviceDataLedgerEntry: Sendable, Hashable {
    /// The time, by the device's clock. The entry is stored before the data leaves.
    public let time: Date
    /// The fields that were sent, by their number.
    public let fields: [DeviceDataField]
    /// The ``fields`` of which a keyed hash was sent instead of the value.
    public let hashedFields: Set<DeviceDataField>
    /// The last time when a request contained the hash of the same data, to the hour; `nil` where no request did for an
    /// hour.
    package let lastNamed: Date?
    /// Whether the data was in a message of `deviceDataMessage`.
    package let isMessage: Bool

    init(_ entry: SentDeviceData.Entry) {
        time = entry.time.date
        fields = DeviceDataField.allCases.filter { entry.fields & 1 << $0.rawValue != 0 }
        hashedFields = Set(fields.filter { entry.hashed & 1 << $0.rawValue != 0 })
        lastNamed = entry.lastNamed?.date
        isMessage = entry.isMessage
    }
}

/// A field of the device data as an app shows it to its user.
public struct DeviceDataItem: Sendable, Hashable {
    /// The field, with its group and its purpose.
    public let field: DeviceDataField
    /// The value on this device; `nil` where it is not known or outside its limits, or the settings do not allow the
    /// field.
    public let value: DeviceDataValue?
    /// Whether the settings allow the field.
    public let isAllowed: Bool
    /// Whether a keyed hash is sent instead of the value.
    public let isHashed: Bool
}

/// A message about the device data that the app carries itself.
public struct ExportedDeviceData: Sendable, Hashable {
    /// The sealed command; `nil` for a message that is only signed.
    package let command: OrchestrationCommand?
    /// The bytes of ``text``.
    package let bytes: [UInt8]
    /// The warnings about data that was left out of the message, where no flow has reported them yet.
    public let warnings: [Warning]

    /// The message in base64url without padding: a sealed command, which an app or its application server posts to the
    /// platform, or a `COSE_Sign1` (RFC 9052) of the device.
    public var text: String { Base64URL.encode(bytes) }
}
