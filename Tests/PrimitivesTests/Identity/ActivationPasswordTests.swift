import Testing

@testable import Primitives

@Suite struct ActivationPasswordTests {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A source of bytes that look random and are the same in every run.
    private final class Sequence: RandomSource {
        private let state: UInt64
        init(_ seed: UInt64) { state = seed }
        func bytes(_ count: Int) -> [UInt8] {
            var word = state
            return (0..<count).map { _ in
                word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: word >> 33)
            }
        }
    }

    private func text(_ code: borrowing ActivationPassword) -> [UInt8] {
        code.formatted().withBytes { span in span.indices.map { span[$0] } }
    }

    private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a code survives writing and reading`() throws {
        for seed in 0..<200 as Range<UInt64> {
            let code = ActivationPassword.make(random: Sequence(seed))
            let written = text(code)
            #expect(written.count == 14 && written[4] == 0x2D && written[9] == 0x2D)
            let read = try ActivationPassword(parsing: string(written))
            #expect(read.handle == code.handle)
            #expect(text(read) == written)
            let same = read.secret.withBytes { a in code.secret.withBytes { b in ConstantTime.equal(a, b) } }
            #expect(same)
            #expect(read.secret.count == 8)
        }
    }

    @Test func `handles of both ends of the range are written in three characters`() throws {
        for handle in [0, 1, 31, 32, 1023, 1024, 0x7FFF] as [UInt16] {
            let code = ActivationPassword.make(handle: handle, random: Sequence(7))
            #expect(try ActivationPassword(parsing: string(text(code))).handle == handle)
        }
        let zero = ActivationPassword.make(handle: 0, random: Sequence(7))
        #expect(string(text(zero)).hasPrefix("000"))
    }

    @Test func `a published code reads as its parts`() throws {
        let code = try ActivationPassword(parsing: "7ZQA-2B3C-4D57")
        #expect(code.handle == 7 << 10 | 31 << 5 | 23)
        #expect(code.secret.withBytes { span in span.indices.map { span[$0] } } == Array("A2B3C4D5".utf8))
    }

    @Test func `case, spaces, hyphens and look-alikes do not matter`() throws {
        let code = ActivationPassword.make(handle: 1 << 10, random: Sequence(3))
        let written = string(text(code))
        let bare = written.filter { $0 != "-" }
        for spelling in [
            written.lowercased(), bare, " \(bare) ", bare.map { "\($0) " }.joined(), "--\(bare)--",
            written.replacing("1", with: "I"), written.replacing("1", with: "l"), written.replacing("0", with: "o"),
        ] {
            #expect(text(try ActivationPassword(parsing: spelling)) == Array(written.utf8), "\(spelling)")
        }
    }

    @Test func `every single wrong character is caught`() throws {
        let written = text(ActivationPassword.make(random: Sequence(11)))
        for index in written.indices where written[index] != 0x2D {
            for other in Self.alphabet where other != written[index] {
                var wrong = written
                wrong[index] = other
                #expect(throws: ActivationPasswordError(.wrongCheckCharacter)) {
                    _ = try ActivationPassword(parsing: string(wrong))
                }
            }
        }
    }

    @Test func `every swap of two different characters is caught`() throws {
        for seed in 0..<20 as Range<UInt64> {
            let written = text(ActivationPassword.make(random: Sequence(seed))).filter { $0 != 0x2D }
            for i in 0..<12 {
                for j in i + 1..<12 where written[i] != written[j] {
                    var swapped = written
                    swapped.swapAt(i, j)
                    #expect(throws: ActivationPasswordError(.wrongCheckCharacter)) {
                        _ = try ActivationPassword(parsing: string(swapped))
                    }
                }
            }
        }
    }

    @Test(arguments: ["", "-", "7ZQA-2B3C-4D5", "7ZQA-2B3C-4D570", String(repeating: "A", count: 65)])
    func `another number of characters is refused`(typed: String) {
        #expect(throws: ActivationPasswordError(.wrongLength)) { _ = try ActivationPassword(parsing: typed) }
    }

    @Test(arguments: [("U", 1), ("7ZQA-U", 6), ("7ZQA_2B3C", 5), ("7é", 2), ("7\u{0}", 2)])
    func `a character outside the alphabet is refused with its position`(typed: String, position: Int) {
        let error = #expect(throws: ActivationPasswordError.self) { _ = try ActivationPassword(parsing: typed) }
        #expect(error?.code == .invalidCharacter)
        #expect(error?.position == position)
    }

    @Test func `a code is made again from the parts that the platform stores`() throws {
        let code = ActivationPassword.make(random: Sequence(5))
        let written = text(code)
        guard let again = ActivationPassword(handle: code.handle, secret: code.secret) else {
            Issue.record("the parts of a code were refused")
            return
        }
        #expect(text(again) == written)
        let outOfRange = ActivationPassword(handle: 1 << 15, secret: code.secret) == nil
        let tooShort = ActivationPassword(handle: 1, secret: SecretBytes(copying: Array("A2B3C4D".utf8))) == nil
        let lowerCase = ActivationPassword(handle: 1, secret: SecretBytes(copying: Array("a2b3c4d5".utf8))) == nil
        #expect(outOfRange && tooShort && lowerCase)
    }
}
