import Primitives
import Testing
import Wire

/// Every message is written once for any output: what measures it, what fills memory, and what makes an array.
@Suite struct EncodingTests {
    @Test(arguments: MessageVectors.all.messages)
    func `the size computed beforehand is the number of bytes written`(vector: MessageVectors.Message) throws {
        let sample = try #require(MessageSamples.all()[vector.testDescription])
        #expect(sample.encodedByteCount == vector.bytes.count)
        for spare in [0, 1, 300] {
            #expect(try written(sample, capacity: vector.bytes.count + spare) == vector.bytes)
        }
    }

    @Test(arguments: MessageVectors.all.messages)
    func `memory that is too small is an error, and nothing counts as written`(vector: MessageVectors.Message) throws {
        let sample = try #require(MessageSamples.all()[vector.testDescription])
        for capacity in 0..<vector.bytes.count {
            let error = #expect(throws: WireError.self) { try written(sample, capacity: capacity) }
            #expect(error?.code == .tooLarge)
            #expect(error?.blame == .caller)
        }
    }

    @Test func `a message is appended to what stands there already`() throws {
        let message = MessageSamples.request(.userDelete)
        let size = message.encodedByteCount
        var output = [UInt8](repeating: 0xEE, count: size + 8)
        let counts = try unsafe output.withUnsafeMutableBufferPointer { memory in
            var span = unsafe OutputSpan(buffer: memory, initializedCount: 0)
            for byte: UInt8 in [1, 2, 3] { span.append(byte) }
            try message.encode(into: &span)
            let first = span.count
            #expect(throws: WireError(.tooLarge)) { try message.encode(into: &span) }
            return (first, unsafe span.finalize(for: memory))
        }
        #expect(counts == (size + 3, size + 3))
        #expect(output[..<(size + 3)] == [1, 2, 3] + message.encoded[...])
    }

    @Test(arguments: [
        UInt64(0), 23, 24, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000, UInt64(Int64.max),
    ])
    func `numbers of every length are measured as they are written`(number: UInt64) throws {
        var message = MessageSamples.request(
            .synchronize(generation: number, counters: [ApplicationCounter(application: 8, counter: number)]))
        message.ratchetIndex = number
        message.time = Timestamp(millisecondsSinceEpoch: Int64(number))
        let bytes = message.encoded
        #expect(message.encodedByteCount == bytes.count)
        #expect(try written(message, capacity: bytes.count) == bytes)
        #expect(try RequestMessage(decoding: bytes) == message)
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 22, 23, 24, 64, 255, 256, 1_000])
    func `texts of every length are measured as they are written`(length: Int) throws {
        for unit in ["x", "é", "水", "𐅑"] {
            let identifier = String(repeating: unit, count: max(1, length / unit.utf8.count))
            let message = MessageSamples.request(.notificationsRegister(identifier: identifier))
            let bytes = message.encoded
            #expect(message.encodedByteCount == bytes.count)
            #expect(try written(message, capacity: bytes.count) == bytes)
            #expect(try RequestMessage(decoding: bytes) == message)
        }
    }

    private func written(_ message: some WireForm, capacity: Int) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
            var output = unsafe OutputSpan(
                buffer: UnsafeMutableBufferPointer(rebasing: memory[..<capacity]), initializedCount: 0)
            defer { count = output.count }
            try message.encode(into: &output)
        }
    }
}
