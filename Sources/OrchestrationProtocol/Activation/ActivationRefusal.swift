/// A refusal in the first two steps, which have no key to seal it with.
///
/// It is not authenticated, so it may end an activation and must not change anything that is stored.
package struct ActivationRefusal: CommandForm, FieldwiseForm {
    /// The reason of a refusal. Unknown values are kept as they are.
    package struct Reason: RawRepresentable, Sendable, Hashable {
        package let rawValue: UInt64

        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// A wrong tag, or a session that is unknown, finished or expired. The authenticator cannot distinguish these
        /// cases.
        package static let refused = Reason(rawValue: 1)

        /// The session id has been used with other bytes.
        package static let sessionReused = Reason(rawValue: 2)

        /// The user already has the maximum number of devices that the policy allows.
        package static let deviceLimitReached = Reason(rawValue: 3)
    }

    package let sessionID: [UInt8]

    package let reason: Reason

    package init(sessionID: [UInt8], reason: Reason) {
        self.sessionID = sessionID
        self.reason = reason
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.activationRefusal, count: 3)
        sessionID = try reader.readBytes(count: FieldSize.identifier)
        reason = Reason(rawValue: try reader.readNumber())
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(3)
        output.unsigned(CommandKind.activationRefusal.rawValue)
        output.bytes(sessionID)
        output.unsigned(reason.rawValue)
    }
}
