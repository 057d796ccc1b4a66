internal import OrchestrationProtocol

/// The time for which the platform accepts a signature or a seal. The platform accepts each once, until one of the two
/// limits is passed.
///
/// A code also becomes invalid when the platform accepts a code that the device made later. Show codes in the order in
/// which they were made.
///
/// After eleven or more signatures and seals of which none was accepted, the platform finds a new one only after the
/// synchronization that follows it.
public struct CodeValidity: Sendable, Hashable {
    /// The number of further signatures and seals of the device after which the code is still accepted: 10.
    public let furtherCodes: Int

    /// The minimum time for which the code is accepted after it was made: 5 minutes. It is accepted for longer until
    /// the device has exchanged new keys with the platform, which happens at a contact after this time.
    public let minimumTime: Duration

    /// The validity that the protocol specifies.
    static let standard = CodeValidity(
        furtherCodes: CodeWindow.lookAhead, minimumTime: .milliseconds(CodeWindow.overlap))
}
