internal import Primitives
internal import TrustedIdentity

/// The courses of test notifications, as `device test` prints them.
package struct NotificationTestBody: Codable, Sendable {
    /// The course for a device.
    package struct Device: Codable, Sendable {
        /// 32 hexadecimal digits.
        package let deviceID: String
        package let name: String
        /// The scheme of the notification identifier; nil for a device without one.
        package let scheme: String?
        package let hops: [Hop]

        init(_ test: NotificationTest) {
            deviceID = Hex.encode(test.device)
            name = test.name
            scheme = test.scheme
            hops = test.hops.map { Hop(step: $0.step.rawValue, time: $0.time.rfc3339) }
        }
    }

    /// A step with its time.
    package struct Hop: Codable, Sendable {
        package let step: String
        package let time: String
    }

    package let devices: [Device]
}
