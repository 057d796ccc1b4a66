internal import OrchestrationProtocol

extension DeviceRecord {
    /// Whether the platform may ask something of the device, or send it: whether the last agreement has the capability.
    func can(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }
}
