import OrchestrationProtocol
import TestSupport
import Testing

@Suite struct OrchestrationCommandTests {
    static let refusal = [UInt8](hex: "8305" + "50" + "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1" + "01")

    @Test func `the three text forms carry the same bytes`() throws {
        let command = try OrchestrationCommand(bytes: Self.refusal)
        #expect(command.text == "gwVQoaGhoaGhoaGhoaGhoaGhoQE")
        #expect(try OrchestrationCommand(text: command.text) == command)
        #expect(try OrchestrationCommand(text: Self.refusal.hex) == command)
        #expect(try OrchestrationCommand(text: Self.refusal.hex.uppercased()) == command)
        #expect(try OrchestrationCommand(qrText: command.qrText) == command)
        #expect(command.qrText.allSatisfy { "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".contains($0) })
    }

    /// Every first byte that a command can have, with what makes a whole item of it.
    static let firsts: [[UInt8]] =
        (0..<24).map { (count: UInt8) in [0x80 | count] + [UInt8](repeating: 0, count: Int(count)) }
        + [[0x98, 24] + [UInt8](repeating: 0, count: 24), [0x99, 1, 0] + [UInt8](repeating: 0, count: 256)]
        + [[0xD0, 0x80], [0xD2, 0x80]]

    @Test(arguments: firsts)
    func `hexadecimal digits and base64url are distinguished`(bytes: [UInt8]) throws {
        let command = try OrchestrationCommand(bytes: bytes)
        #expect(try OrchestrationCommand(text: command.text).bytes == bytes)
        #expect(try OrchestrationCommand(text: bytes.hex).bytes == bytes)
        #expect(try OrchestrationCommand(text: bytes.hex.uppercased()).bytes == bytes)
    }

    @Test(arguments: [
        ("", WireError.Code.empty),
        ("gwVQoaGhoaGhoaGhoaGhoaGhoQE=", .invalidText), ("gwVQoaGhoaGhoaGhoaGhoaGhoQF", .invalidText),
        ("gwVQ oaGhoaGhoaGhoaGhoaGhoQE", .invalidText), ("gwVQoaGh+aGhoaGhoaGhoaGhoQE", .invalidText),
        ("é", .invalidText), ("80 ", .invalidText), ("800", .invalidText), ("8g", .invalidText),
        ("gwVQoaGhoaGhoaGhoaGhoaGhoQ", .truncated), ("83", .truncated), ("8000", .trailingBytes),
        // Well-formed, but no frame of a command.
        ("AA", .unexpectedType), ("oA", .unexpectedType), ("9g", .invalidText), ("YA", .unexpectedType),
    ])
    func `a text that is no command is refused by name`(text: String, code: WireError.Code) {
        #expect(throws: WireError(code)) { try OrchestrationCommand(text: text) }
    }

    @Test(arguments: [("", WireError.Code.empty), ("a", .invalidText), ("A", .invalidText), ("::::", .invalidText)])
    func `a QR code that does not hold a command is refused`(text: String, code: WireError.Code) {
        #expect(throws: WireError(code)) { try OrchestrationCommand(qrText: text) }
    }

    @Test func `a command has at most 64 KiB`() throws {
        let most = [UInt8](hex: "8159fffc") + [UInt8](repeating: 0, count: 65_532)
        #expect(try OrchestrationCommand(bytes: most).bytes.count == OrchestrationCommand.maximumByteCount)
        let more = [UInt8](hex: "8159fffd") + [UInt8](repeating: 0, count: 65_533)
        #expect(throws: WireError(.tooLarge)) { try OrchestrationCommand(bytes: more) }
        #expect(throws: WireError(.empty)) { try OrchestrationCommand(bytes: []) }
        #expect(throws: WireError(.tooLarge)) {
            try OrchestrationCommand(text: String(repeating: "A", count: 131_073))
        }
        let longest = try OrchestrationCommand(bytes: most)
        #expect(try OrchestrationCommand(text: longest.text) == longest)
        #expect(try OrchestrationCommand(text: most.hex) == longest)
        #expect(try OrchestrationCommand(qrText: longest.qrText) == longest)
    }

    @Test(arguments: [
        ("ActivationRequest classic", "activation request"), ("ActivationAnswer classic", "activation answer"),
        ("ActivationKeyRequest ", "activation key request"), ("ActivationKeyAnswer ", "activation key answer"),
        ("ActivationRefusal refused", "activation refusal"), ("ChannelRequest suite 1", "sealed"),
    ])
    func `a command shows its kind and size and nothing else`(name: String, kind: String) throws {
        let command = try OrchestrationCommand(bytes: try #require(MessageSamples.all()[name]).encoded)
        let expected = "OrchestrationCommand(\(kind), \(command.bytes.count) bytes)"
        #expect("\(command)" == expected)
        #expect(String(reflecting: command) == expected)
        var dumped = ""
        dump(command, to: &dumped)
        #expect(!dumped.contains("161"))  // 0xA1, of which the session id is made
        #expect(dumped.contains(kind))
    }
}
