extension SecureChannelError {
    /// The kinds of refusal. More may come; a switch over them needs a default.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name, as it is logged.
        package let description: String

        private init(_ description: StaticString) { self.description = description.description }

        /// Bytes that are not of the agreed form or length.
        package static let malformed = Code("malformed")
        /// A public key that would make a shared secret known to everybody.
        package static let lowOrderPoint = Code("low-order-point")
        /// The peer's tag of the activation exchange is wrong: another code was used, or somebody is in between.
        package static let wrongCode = Code("wrong-code")
        /// A seal or a signature does not verify.
        package static let notAuthentic = Code("not-authentic")
        /// A suite that was not offered, is not allowed, or is not available on this system.
        package static let unsupportedSuite = Code("unsupported-suite")
        /// A message of another session of the activation exchange.
        package static let wrongSession = Code("wrong-session")
        /// A message to or from another device, tenant or account.
        package static let wrongParty = Code("wrong-party")
        /// A message sealed to another key of the platform.
        package static let wrongKey = Code("wrong-key")
        /// The answer to another request, or a request where an answer belongs.
        package static let wrongRequest = Code("wrong-request")
        /// An authentic message of another type than the one expected.
        package static let wrongType = Code("wrong-type")
        /// The key ratchet was asked to go back, or further than one step may lead.
        package static let ratchetOutOfRange = Code("ratchet-out-of-range")
    }
}
