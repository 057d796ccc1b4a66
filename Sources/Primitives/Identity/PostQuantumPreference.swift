/// Whether a key exchange adds the hybrid suite (X-Wing: ML-KEM-768 and X25519) to the classic one (X25519).
public enum PostQuantumPreference: String, Sendable, Hashable, CaseIterable, Codable {
    /// The classic suite alone.
    case off
    /// The hybrid suite where both sides support it, the classic suite elsewhere.
    case preferred
    /// The hybrid suite, or no activation.
    ///
    /// A device that was activated with the classic suite keeps it when a platform begins to require the hybrid one.
    /// To end such a device, register its user again and revoke the device.
    case required
}
