package import Primitives

/// The beginning of a move: the device proves its password, and receives an activation password for the device that
/// replaces it.
///
/// The request is sent with a proof of the password instance's secret.
package struct MoveBeginMessage: ChannelMessage {
    package static let type = MessageType("move.begin")

    package init() {}

    package init(from reader: inout CBORReader) throws(WireError) { try reader.readArray(count: 0) }

    package func write(to output: inout some CBOROutput) { output.array(0) }

    package var body: RequestBody { .moveBegin }

    /// An activation password for the new device.
    package struct Answer: MessageBody {
        /// The number of bytes of an activation password with its hyphens.
        private static let textCount = 14

        /// The activation password, `XXXX-XXXX-XXXX` in ASCII.
        package var activationPassword: MessageSecret

        /// The time, by the platform's clock, from which no activation can start with it.
        package var expiry: Timestamp

        /// The public address of the platform, 1 to 128 bytes; `nil` for a platform that does not know it.
        package var address: String?

        package init(activationPassword: MessageSecret, expiry: Timestamp, address: String? = nil) {
            self.activationPassword = activationPassword
            self.expiry = expiry
            self.address = address
        }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 3)
            activationPassword = try reader.readSecret(count: Self.textCount)
            expiry = try reader.readTime()
            address =
                try reader.readIfNull() ? nil : reader.readName(maximumBytes: ActivationLink.maximumAddressByteCount)
        }

        package func write(to output: inout some CBOROutput) {
            output.array(3)
            output.secret(activationPassword)
            output.time(expiry)
            if let address { output.text(address) } else { output.null() }
        }
    }
}

extension AnswerBody {
    package static func moveBegin(_ move: MoveBeginMessage.Answer) -> AnswerBody {
        AnswerBody(move, to: MoveBeginMessage.self)
    }
}
