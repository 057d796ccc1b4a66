internal import Wire

extension DeviceRecord {
    /// Whether the platform may ask something of the device, or send it: whether the last agreement has the capability.
    ///
    /// A device of a version without capabilities has agreed on none yet. It can do what every device of that version
    /// can, which is all that has a capability today.
    func can(_ capability: Capability) -> Bool {
        capabilities.map { $0.contains(capability.rawValue) } ?? true
    }
}
