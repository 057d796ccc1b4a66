internal import Primitives
internal import Wire

/// What the device says about itself in step 2.
struct DeviceDescription: Sendable {
    /// At most 64 bytes of UTF-8.
    let name: String

    /// The methods that this device can prove: the password, and possession alone.
    let methods: [AuthenticationMethod] = [.possession, .password]

    func registration(deviceKey: [UInt8], random: any RandomSource) -> DeviceRegistration {
        DeviceRegistration(
            deviceKey: deviceKey, clientRandom: random.bytes(32), deviceName: name, sdkVersion: Self.version,
            methods: methods.map { UInt64($0.rawValue) })
    }

    /// The version of this SDK, for the platform's lists.
    static let version = "0.1.0"
}
