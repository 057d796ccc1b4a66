internal import OrchestrationProtocol

extension DeviceRecord {
    /// Whether the platform may ask the device for something, or send it something: whether the last agreement contains
    /// the capability.
    func can(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }
}
