internal import CHashBlocks
internal import Primitives

extension OCRA {
    /// The message that is authenticated, with zeros instead of the input: suite, zero byte, counter, question, PIN,
    /// session and time (RFC 6287 section 5.1), and the padding of the hash function.
    struct MessageTemplate: ~Copyable, Sendable {
        /// A bound on the bytes of a message: 65 for the suite, 8, 128, 64, 512 and 8 for the other parts, and at most
        /// 144 for the padding.
        static let maximumByteCount = 1024

        /// The number of bytes of a message without the padding.
        let count: Int

        /// The number of bytes of a message with the padding.
        var paddedCount: Int { message.count }

        private let message: SecretBytes
        private let counter: Int?
        private let question: Int
        private let session: Range<Int>
        private let step: Int?

        init(_ suite: Suite, _ hashedPIN: borrowing SecretBytes) {
            let text = suite.text.utf8
            var end = text.count + 1
            counter = suite.hasCounter ? end : nil
            end += suite.hasCounter ? 8 : 0
            question = end
            end += Question.byteCount
            let pin = end
            end += hashedPIN.count
            session = end..<(end + (suite.sessionByteCount ?? 0))
            end = session.upperBound
            step = suite.timeStep == nil ? nil : end
            end += suite.timeStep == nil ? 0 : 8
            count = end
            let algorithm = suite.algorithm.number
            message = SecretBytes(count: hash_blocks_padded_count(algorithm, end)) { message in
                for (index, byte) in text.enumerated() { message[index] = byte }
                hashedPIN.withBytes { for index in $0.indices { message[pin + index] = $0[index] } }
                unsafe message.withUnsafeMutableBytes { unsafe hash_blocks_pad(algorithm, $0.baseAddress, end) }
            }
        }

        /// Writes the message of an input.
        ///
        /// - Parameter memory: Memory for ``paddedCount`` bytes.
        borrowing func fill(
            _ memory: UnsafeMutableRawBufferPointer, with input: Input, _ suite: Suite
        ) throws(OneTimePasswordError) {
            try input.check(suite)
            message.withBytes { unsafe $0.withUnsafeBytes { unsafe memory.copyMemory(from: $0) } }
            try unsafe input.question.write(
                into: UnsafeMutableRawBufferPointer(rebasing: memory[question..<(question + Question.byteCount)]), suite
            )
            if let bytes = input.session {
                let missing = session.count - bytes.count
                let place = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[session].dropFirst(missing))
                unsafe place.copyBytes(from: bytes)
            }
            unsafe move(memory, counter: input.counter ?? 0, step: input.step(suite))
        }

        /// Writes another counter and time step into a message, if the suite contains them.
        borrowing func move(_ memory: UnsafeMutableRawBufferPointer, counter value: UInt64, step number: UInt64) {
            if let counter { unsafe memory.storeBytes(of: value.bigEndian, toByteOffset: counter, as: UInt64.self) }
            if let step { unsafe memory.storeBytes(of: number.bigEndian, toByteOffset: step, as: UInt64.self) }
        }
    }
}
