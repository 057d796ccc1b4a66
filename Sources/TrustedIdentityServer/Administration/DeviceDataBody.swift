internal import Primitives
internal import TrustedIdentity

/// The latest data that a device reported about itself, as `device show` prints it.
package struct DeviceDataBody: Codable, Sendable {
    /// A field.
    package struct Field: Codable, Sendable {
        package let name: String
        package let value: String
        package let isHashed: Bool
        package let purpose: String
    }

    /// An event that the app reported with its data.
    package struct Event: Codable, Sendable {
        package let name: String
        package let applicationData: String?
        package let time: String
    }

    package let fields: [Field]
    /// Null if the platform has no data of the device.
    package let sentAt: String?
    package let event: Event?

    init(_ report: DeviceDataReport?) {
        fields = (report?.fields ?? []).map {
            Field(name: $0.name, value: $0.value, isHashed: $0.isHashed, purpose: $0.purpose)
        }
        sentAt = report?.sentAt.rfc3339
        event = report?.event.map {
            Event(name: $0.name, applicationData: $0.applicationData, time: $0.time.rfc3339)
        }
    }
}
