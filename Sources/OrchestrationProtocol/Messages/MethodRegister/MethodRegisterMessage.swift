/// The registration of the keys of a method that the user has enrolled on the device.
///
/// The request is sent with a proof of the password instance's secret.
package struct MethodRegisterMessage: ChannelMessage {
    package static let type = MessageType("method.register")

    /// The signed ``MethodRegistrationContent``, which is not verified.
    package var registration: Sign1

    package init(registration: Sign1) { self.registration = registration }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 1)
        registration = try reader.readSigned()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(1)
        output.bytes(registration.encoded)
    }

    package var body: RequestBody { .methodRegister(self) }

    /// The secret of the method's instance.
    package struct Answer: MessageBody {
        /// Random bytes of the platform, 32 bytes.
        package var secret: MessageSecret

        package init(secret: MessageSecret) { self.secret = secret }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 1)
            secret = try reader.readSecret(count: FieldSize.hash)
        }

        package func write(to output: inout some CBOROutput) {
            output.array(1)
            output.secret(secret)
        }
    }
}

extension RequestBody {
    package static func methodRegister(_ registration: Sign1) -> RequestBody {
        .methodRegister(MethodRegisterMessage(registration: registration))
    }
}

extension AnswerBody {
    package static func methodRegister(secret: MessageSecret) -> AnswerBody {
        AnswerBody(MethodRegisterMessage.Answer(secret: secret), to: MethodRegisterMessage.self)
    }
}
