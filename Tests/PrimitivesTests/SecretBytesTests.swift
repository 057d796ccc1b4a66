import Primitives
import Testing

private struct Refused: Error, Equatable {}

@Suite struct SecretBytesTests {
    private func array(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { span in span.indices.map { span[$0] } }
    }

    @Test(arguments: [[], [7], [1, 2, 3], Array(repeating: 0xFF, count: 10_000)])
    func `a secret gives back the bytes it was made from`(_ bytes: [UInt8]) {
        let secret = SecretBytes(copying: bytes)
        #expect(array(secret) == bytes)
        let other = SecretBytes(copying: bytes.span)
        #expect(array(other) == bytes)
        let (count, isEmpty) = (secret.count, secret.isEmpty)
        #expect(count == bytes.count)
        #expect(isEmpty == bytes.isEmpty)
    }

    @Test func `an array is wiped in place, and an earlier copy keeps its bytes`() {
        var bytes: [UInt8] = [1, 2, 3]
        let before = unsafe bytes.withUnsafeBytes { $0.baseAddress }
        bytes.wipe()
        #expect(bytes == [0, 0, 0])
        let isInPlace = unsafe bytes.withUnsafeBytes { $0.baseAddress } == before
        #expect(isInPlace)
        let copy: [UInt8] = [4, 5]
        var shared = copy
        shared.wipe()
        #expect(copy == [4, 5])
        var empty: [UInt8] = []
        empty.wipe()
        #expect(empty.isEmpty)
    }

    @Test func `an array that a secret is made from is overwritten`() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(wiping: &bytes)
        #expect(array(secret) == [1, 2, 3])
        #expect(bytes == [0, 0, 0])
    }

    @Test func `a copy outlives the original`() {
        var copy = SecretBytes(copying: [])
        do {
            let original = SecretBytes(copying: [1, 2, 3])
            copy = original.copy()
        }
        #expect(array(copy) == [1, 2, 3])
    }

    @Test func `a secret is filled in place and starts as zeros`() {
        let secret = SecretBytes(count: 4) { $0[2] = 9 }
        #expect(array(secret) == [0, 0, 9, 0])
    }

    @Test func `an error of the closure that fills a secret is thrown`() {
        #expect(throws: Refused()) {
            _ = try SecretBytes(count: 4) { (bytes) throws(Refused) in
                bytes[0] = 1
                throw Refused()
            }
        }
    }

    @Test func `an error of the closure that reads a secret is thrown`() {
        let secret = SecretBytes(copying: [1])
        #expect(throws: Refused()) { try secret.withBytes { (_) throws(Refused) in throw Refused() } }
    }

    @Test func `reflection finds no bytes in a secret`() {
        // The same as a struct or an error with a secret that is dumped by mistake.
        final class Holder {
            let secret = SecretBytes(copying: Array("CANARY".utf8))
        }
        var dumped = ""
        dump(Holder(), to: &dumped)
        #expect(dumped.contains("Holder"))
        #expect(!dumped.contains("CANARY") && !dumped.contains("- 67"))
    }

    @Test func `the system's generator gives as many bytes as asked, and never the same`() {
        let source = SystemRandomSource()
        #expect(source.bytes(0) == [])
        #expect(source.bytes(32).count == 32)
        #expect(source.bytes(32) != source.bytes(32))
        let secret = source.secret(16)
        #expect(array(secret).count == 16)
    }
}
