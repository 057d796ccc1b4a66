import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Encodings of every length: those that are written on the stack, those that are too long for it, and those that are
/// appended to memory of the caller.
@Suite struct EncodingTests {
    @Test(arguments: [
        UInt64(0), 23, 24, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000, UInt64(Int64.max),
    ])
    func `a number of every length is read as it is written`(number: UInt64) throws {
        var message = MessageSamples.request(
            .synchronize(generation: number, counters: [ApplicationCounter(application: 8, counter: number)]))
        message.ratchetIndex = number
        message.time = Timestamp(millisecondsSinceEpoch: Int64(number))
        let bytes = message.encoded
        #expect(try CBORValue(decoding: bytes).encoded == bytes)
        #expect(try RequestMessage(decoding: bytes) == message)
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 22, 23, 24, 64, 255, 256, 1_000])
    func `a text of every length is read as it is written`(length: Int) throws {
        for unit in ["x", "é", "水", "𐅑"] {
            let identifier = String(repeating: unit, count: max(1, length / unit.utf8.count))
            let message = MessageSamples.request(.notificationsRegister(identifier: identifier))
            let bytes = message.encoded
            #expect(try CBORValue(decoding: bytes).encoded == bytes)
            #expect(try RequestMessage(decoding: bytes) == message)
        }
    }

    @Test func `associated data is appended to the bytes of the caller`() throws {
        let header = COSEHeader(algorithm: .a256GCM, keyID: MessageSamples.fill(7, 300))
        let data = Encrypt0.additionalData(header: header, externalAAD: [])
        for spare in [0, 1, 300] {
            let output = try appended(to: [1, 2, 3], capacity: 3 + data.count + spare, header)
            #expect(output == [1, 2, 3] + data)
        }
    }

    @Test func `memory that is too small is an error, and nothing is appended`() throws {
        let header = COSEHeader(algorithm: .a256GCM, keyID: MessageSamples.fill(7, 30))
        let count = Encrypt0.additionalData(header: header, externalAAD: []).count
        for capacity in 3..<3 + count {
            var memory = [UInt8](repeating: 0xEE, count: capacity)
            let written = unsafe memory.withUnsafeMutableBufferPointer { memory in
                var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
                for byte: UInt8 in [1, 2, 3] { output.append(byte) }
                let error = #expect(throws: WireError.self) {
                    try Encrypt0.appendAdditionalData(header: header, to: &output)
                }
                #expect(error?.code == .tooLarge)
                #expect(error?.blame == .caller)
                return unsafe output.finalize(for: memory)
            }
            #expect(written == 3)
        }
    }

    private func appended(to start: [UInt8], capacity: Int, _ header: COSEHeader) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
            var output = unsafe OutputSpan(
                buffer: UnsafeMutableBufferPointer(rebasing: memory[..<capacity]), initializedCount: 0)
            defer { count = output.count }
            for byte in start { output.append(byte) }
            try Encrypt0.appendAdditionalData(header: header, to: &output)
        }
    }
}
