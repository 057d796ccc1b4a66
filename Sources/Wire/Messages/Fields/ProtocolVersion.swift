/// The version of the protocol that this library speaks.
package enum ProtocolVersion {
    package static let current: UInt64 = 1

    /// What the external associated data of every signature starts with; the type of the message follows.
    package static let prefix = "swift-orchestration/1 "
}
