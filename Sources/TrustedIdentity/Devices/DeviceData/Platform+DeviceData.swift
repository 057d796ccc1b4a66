internal import OrchestrationProtocol
public import Primitives

/// The latest data that a device reported about itself. The data is a claim of the device.
public struct DeviceDataReport: Sendable, Hashable {
    /// A field.
    public struct Field: Sendable, Hashable {
        /// The number of the field.
        public let number: UInt64
        /// The name of the field; the number for one that this version does not know.
        public let name: String
        /// The value as text: list elements are separated by commas, and a keyed hash is hexadecimal.
        public let value: String
        /// Whether the device sent a keyed hash and not the value.
        public let isHashed: Bool
        /// The reason why the field is reported; empty for a field that this version does not know.
        public let purpose: String
    }

    /// An event that the app reported with its data.
    public struct Event: Sendable, Hashable {
        /// The name of the event.
        public let name: String
        /// The data of the app about it.
        public let applicationData: String?
        /// The time by which the device signed it.
        public let time: Timestamp
    }

    /// The fields, by their number.
    public let fields: [Field]
    /// The time by which the device signed the data.
    public let sentAt: Timestamp
    /// The latest event.
    public let event: Event?

    /// The names of the fields that a policy can read. Lists of texts are not among them.
    package static let policyNames = Set(DeviceDataField.allCases.filter { $0 != .networkInterfaces }.map(\.name))

    /// Returns whether a policy may compare a field with a value. Without this check, a wrong value would make a rule
    /// that never applies.
    package static func allows(_ value: String, for name: String) -> Bool {
        DeviceDataField.allowsPolicyText(value, for: name)
    }

    init(_ stored: StoredDeviceData) {
        fields = stored.data.values.sorted { $0.key < $1.key }.map { number, value in
            let field = DeviceDataField(rawValue: number)
            let (text, isHashed): (String, Bool) =
                switch value {
                case .text(let text): (text, false)
                case .integer(let number): ("\(number)", false)
                case .boolean(let value): ("\(value)", false)
                case .texts(let texts): (texts.joined(separator: ", "), false)
                case .hash(let bytes): (Hex.encode(bytes), true)
                }
            return Field(
                number: number, name: field?.name ?? "\(number)", value: text, isHashed: isHashed,
                purpose: field?.purpose ?? "")
        }
        sentAt = stored.sentAt
        event = stored.event.map { Event(name: $0.name, applicationData: $0.applicationData, time: $0.time) }
    }
}

extension Platform {
    /// Returns the latest data that a device reported about itself.
    ///
    /// - Parameters:
    ///   - id: The id of the device, 16 bytes.
    ///   - account: The account of the device.
    /// - Returns: `nil` if the platform has none: the device sends none, or has sent none for ``Retention/deviceData``.
    /// - Throws: ``PlatformError`` with `unknownUser`, `unknownDevice` (also for the device of another account),
    ///   `alteredRow`, `storeFailed`.
    public func deviceData(of id: [UInt8], of account: AccountName) async throws -> DeviceDataReport? {
        let (name, now, sealer) = (account.text, time.now(), sealer)
        let retention = configuration.retention.deviceData
        return try await read { store in
            guard try store.account(name) != nil else { throw PlatformError(.unknownUser) }
            guard let device = try store.device(id), device.account == name else {
                throw PlatformError(.unknownDevice)
            }
            let record = try store.deviceData(of: id)
            return record.flatMap {
                StoredDeviceData($0, of: device, sealer: sealer, keptFor: retention, now: now)
            }.map(DeviceDataReport.init)
        }
    }
}
