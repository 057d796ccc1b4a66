/// How far the codes of one instance of a device, for one application index, are used up.
public struct CodeCounterRecord: Sendable, Hashable {
    /// The device id, 16 bytes.
    public var device: [UInt8]
    /// The instance whose codes are counted.
    public var instance: Instance
    /// The application index, 1…8.
    public var application: UInt8
    /// The lowest counter (HOTP) or time step (TOTP) that may still be accepted. Below 2^63.
    public var next: UInt64
    /// Time steps that the device's clock is ahead of the platform's, as learned: -2…2.
    public var drift: Int

    /// Puts a row together.
    public init(
        device: [UInt8], instance: Instance, application: UInt8, next: UInt64 = 0, drift: Int = 0
    ) {
        self.device = device
        self.instance = instance
        self.application = application
        self.next = next
        self.drift = drift
    }
}
