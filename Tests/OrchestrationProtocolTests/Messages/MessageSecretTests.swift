import OrchestrationProtocol
import Primitives
import Testing

/// Secrets in the bodies of messages.
@Suite struct MessageSecretTests {
    private static let canary = Array("canary-7391548260-canary-7391548".utf8)

    private static func offer(_ secret: [UInt8] = canary) -> PasswordChangeMessage.Answer {
        PasswordChangeMessage.Answer(
            generation: 4, change: MessageSecret(SecretBytes(copying: secret)),
            policy: .init(minimumLength: 6, maximumLength: 12, digitsOnly: true, tries: 5))
    }

    @Test func `neither printing nor reflection shows the difference of two passwords, and the secret of a method`()
        throws
    {
        let message = AnswerMessage(
            to: PasswordChangeMessage.type,
            MessageHead(
                device: DeviceAddress(
                    tenant: "default", account: try AccountName(userID: "alice", domain: "master"),
                    id: [UInt8](repeating: 3, count: 16)),
                requestID: [UInt8](repeating: 7, count: 16), time: Timestamp(secondsSinceEpoch: 0), ratchetIndex: 1),
            failedCodes: 0, result: .accepted(.passwordChange(Self.offer())))
        let method = MethodRegisterMessage.Answer(secret: Self.offer().change)
        let move = MoveBeginMessage.Answer(
            activationPassword: Self.offer().change, expiry: Timestamp(secondsSinceEpoch: 0))
        for value in [message, method, move, Self.offer(), Self.offer().change] as [Any] {
            var text = ""
            dump(value, to: &text)
            text += "\(value)" + String(reflecting: value)
            // As a text, and as the numbers of its bytes.
            #expect(!text.contains("canary") && !text.contains("99, 97, 110") && !text.contains("- 110"))
        }
    }

    @Test func `a secret is read as it was written, and is equal to no other`() throws {
        var writer = CBORWriter()
        Self.offer().write(to: &writer)
        let bytes = writer.finish()
        var reader = CBORReader(bytes)
        let read = try PasswordChangeMessage.Answer(from: &reader)
        #expect(read == Self.offer() && read.change.withBytes { [UInt8]($0) } == Self.canary)
        for bit in 0..<(Self.canary.count * 8) {
            var other = Self.canary
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(Self.offer(other) != read)
        }
        #expect(Self.offer(Array(Self.canary.dropLast())) != read)
    }

    @Test(arguments: [0, 31, 33])
    func `a secret of another length is refused`(count: Int) throws {
        var writer = CBORWriter()
        Self.offer([UInt8](repeating: 1, count: count)).write(to: &writer)
        let bytes = writer.finish()
        let error = #expect(throws: WireError.self) {
            var reader = CBORReader(bytes)
            _ = try PasswordChangeMessage.Answer(from: &reader)
        }
        #expect(error?.code == .unexpectedLength)
    }
}
