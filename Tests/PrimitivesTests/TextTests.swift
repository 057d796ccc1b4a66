import Foundation
import Primitives
import Testing

/// A text and its bytes: all test vectors of the RFCs.
struct TextVector: Sendable, CustomStringConvertible {
    let bytes: [UInt8]
    let text: String
    var description: String { text }

    init(_ plain: String, _ text: String) {
        bytes = Array(plain.utf8)
        self.text = text
    }

    init(_ bytes: [UInt8], _ text: String) {
        self.bytes = bytes
        self.text = text
    }
}

/// A text that must be refused, with the code and the position of the error.
struct TextRefusal: Sendable, CustomStringConvertible {
    let text: String
    let code: TextDecodingError.Code
    let position: Int
    var description: String { text }

    init(_ text: String, _ code: TextDecodingError.Code, _ position: Int) {
        self.text = text
        self.code = code
        self.position = position
    }

    func check(_ decode: (String) throws(TextDecodingError) -> [UInt8]) {
        do {
            let bytes = try decode(text)
            Issue.record("\(text) was read as \(bytes.count) bytes")
        } catch {
            #expect(error.code == code)
            #expect(error.position == position)
        }
    }
}

/// Byte strings of every length up to 40 that contain the smallest and the largest byte.
let samples: [[UInt8]] = (0...40).map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 255) } }

@Suite struct HexTests {
    @Test(arguments: [  // RFC 4648 section 10, in lower case
        TextVector("", ""), TextVector("f", "66"), TextVector("fo", "666f"), TextVector("foobar", "666f6f626172"),
        TextVector([0, 0x0F, 0xF0, 0xFF, 0x9A, 0xA9], "000ff0ff9aa9"),
    ])
    func `hex is written in lower case and read back`(_ vector: TextVector) throws {
        #expect(Hex.encode(vector.bytes) == vector.text)
        #expect(try Hex.decode(vector.text) == vector.bytes)
        #expect(try Hex.decode(vector.text.uppercased()) == vector.bytes)
    }

    @Test(arguments: [
        TextRefusal("0", .invalidLength, 1), TextRefusal("666f6", .invalidLength, 5),
        TextRefusal("0x66", .invalidCharacter, 1), TextRefusal("66 6f", .invalidCharacter, 2),
        TextRefusal("6g", .invalidCharacter, 1), TextRefusal("6/", .invalidCharacter, 1),
        TextRefusal("6:", .invalidCharacter, 1), TextRefusal("6@", .invalidCharacter, 1),
        TextRefusal("6G", .invalidCharacter, 1), TextRefusal("6`", .invalidCharacter, 1),
        TextRefusal("66é", .invalidCharacter, 2), TextRefusal("\0\0", .invalidCharacter, 0),
    ])
    func `hex that is not hex is refused with its place`(_ refusal: TextRefusal) {
        refusal.check { (text) throws(TextDecodingError) in try Hex.decode(text) }
    }

    @Test func `a secret in hex becomes a secret`() throws {
        let secret = try Hex.decode(SecretBytes(copying: Array("00ffA5".utf8)))
        let isRight = secret.withBytes { ConstantTime.equal($0, [0, 0xFF, 0xA5].span) }
        #expect(isRight)
        #expect(throws: TextDecodingError(.invalidLength, at: 0)) {
            _ = try Hex.decode(SecretBytes(copying: Array("00f".utf8)))
        }
    }
}

@Suite struct Base32Tests {
    @Test(arguments: [  // RFC 4648 section 10
        TextVector("", ""), TextVector("f", "MY======"), TextVector("fo", "MZXQ===="), TextVector("foo", "MZXW6==="),
        TextVector("foob", "MZXW6YQ="), TextVector("fooba", "MZXW6YTB"), TextVector("foobar", "MZXW6YTBOI======"),
    ])
    func `Base32 is written and read with padding and without`(_ vector: TextVector) throws {
        let bare = vector.text.replacing("=", with: "")
        #expect(Base32.encode(vector.bytes, padded: true) == vector.text)
        #expect(Base32.encode(vector.bytes) == bare)
        #expect(try Base32.decode(vector.text) == vector.bytes)
        #expect(try Base32.decode(bare) == vector.bytes)
        #expect(try Base32.decode(bare.lowercased(), anyCase: true) == vector.bytes)
    }

    @Test(arguments: [
        TextRefusal("M", .invalidLength, 1), TextRefusal("MZX", .invalidLength, 3),
        TextRefusal("MZXW6Y", .invalidLength, 6), TextRefusal("M=======", .invalidLength, 1),
        TextRefusal("my", .invalidCharacter, 0), TextRefusal("MZXw6", .invalidCharacter, 3),
        TextRefusal("M1", .invalidCharacter, 1), TextRefusal("M0", .invalidCharacter, 1),
        TextRefusal("M8", .invalidCharacter, 1), TextRefusal("MZ XQ", .invalidCharacter, 2),
        TextRefusal("M[", .invalidCharacter, 1), TextRefusal("M@", .invalidCharacter, 1),
        TextRefusal("MÜ", .invalidCharacter, 1),
        TextRefusal("MZ", .nonCanonical, 1), TextRefusal("MZXR", .nonCanonical, 3),
        TextRefusal("MZXW7", .nonCanonical, 4), TextRefusal("MZXW6YR", .nonCanonical, 6),
        TextRefusal("MZ======", .nonCanonical, 1),
        TextRefusal("MY=", .invalidPadding, 2), TextRefusal("MY=====", .invalidPadding, 2),
        TextRefusal("MY=======", .invalidPadding, 2), TextRefusal("MZXW6YTB========", .invalidPadding, 8),
        TextRefusal("MY==MY==", .invalidPadding, 4), TextRefusal("========", .invalidPadding, 0),
    ])
    func `Base32 that is not canonical is refused with its place`(_ refusal: TextRefusal) {
        refusal.check { (text) throws(TextDecodingError) in try Base32.decode(text) }
    }

    @Test func `a secret in Base32 becomes a secret`() throws {
        let secret = try Base32.decode(SecretBytes(copying: Array("MZXW6===".utf8)))
        let isRight = secret.withBytes { ConstantTime.equal($0, Array("foo".utf8).span) }
        #expect(isRight)
        #expect(throws: TextDecodingError(.nonCanonical, at: 0)) {
            _ = try Base32.decode(SecretBytes(copying: Array("MZXW7".utf8)))
        }
        #expect(throws: TextDecodingError(.invalidCharacter, at: 0)) {
            _ = try Base32.decode(SecretBytes(copying: Array("mzxw6".utf8)))
        }
    }
}

@Suite struct Base64URLTests {
    @Test(arguments: [  // RFC 4648 section 10 without padding, and the two characters that differ from Base64
        TextVector("", ""), TextVector("f", "Zg"), TextVector("fo", "Zm8"), TextVector("foo", "Zm9v"),
        TextVector("foob", "Zm9vYg"), TextVector("fooba", "Zm9vYmE"), TextVector("foobar", "Zm9vYmFy"),
        TextVector([0xFB, 0xEF, 0xFF], "--__"), TextVector([0x00, 0x10, 0x83, 0xD3, 0x5D, 0xB7], "ABCD0123"),
    ])
    func `Base64URL is written and read`(_ vector: TextVector) throws {
        #expect(Base64URL.encode(vector.bytes) == vector.text)
        #expect(try Base64URL.decode(vector.text) == vector.bytes)
    }

    @Test(arguments: [
        TextRefusal("Z", .invalidLength, 1), TextRefusal("Zm9vY", .invalidLength, 5),
        TextRefusal("Zg==", .invalidCharacter, 2), TextRefusal("Zm8=", .invalidCharacter, 3),
        TextRefusal("++//", .invalidCharacter, 0), TextRefusal("Zm\n9v", .invalidCharacter, 2),
        TextRefusal("Zm 9", .invalidCharacter, 2), TextRefusal("Zmß", .invalidCharacter, 2),
        TextRefusal("Zh", .nonCanonical, 1), TextRefusal("Zm9", .nonCanonical, 2),
    ])
    func `Base64URL that is not canonical is refused with its place`(_ refusal: TextRefusal) {
        refusal.check { (text) throws(TextDecodingError) in try Base64URL.decode(text) }
    }
}

/// Texts are coded in groups of sixteen characters. Different code runs for different lengths and positions.
@Suite struct Base64URLGroupTests {
    @Test(arguments: Array(0...100) + [247, 300, 1_000])
    func `every length is written as Foundation writes it, but for two characters and the padding`(count: Int) throws {
        for start in [0, 77, 200] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: start &+ $0 &* 37) }
            let expected = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(Base64URL.encode(bytes) == expected)
            #expect(try Base64URL.decode(expected) == bytes)
            #expect(try Base64URL.decode(expected[...]) == bytes)
            let secret = Base64URL.encode(SecretBytes(copying: bytes))
            #expect(secret.withBytes { [UInt8]($0) } == Array(expected.utf8))
        }
    }

    @Test(arguments: [1, 5, 15, 16, 17, 19, 20, 31, 32, 36, 37, 48])
    func `every character that does not belong is refused at every place`(count: Int) {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let strangers = (UInt8.min...127).filter { !alphabet.contains($0) }.map { String(UnicodeScalar($0)) }
        var wrong: [String] = []
        for place in 0..<count {
            for stranger in strangers + ["\u{80}", "\u{C1}", "\u{FF}", "\u{20AC}", "\u{1F511}"] {
                let rest = count - place - 1
                let text = String(repeating: "A", count: place) + stranger + String(repeating: "A", count: rest)
                do throws(TextDecodingError) {
                    _ = try Base64URL.decode(text)
                    wrong.append(text)
                } catch  where error.code == .invalidCharacter && error.position == place {
                } catch {
                    wrong.append(text)
                }
            }
        }
        #expect(wrong == [])
    }

    @Test func `every last character of every length completes a byte or is refused`() {
        let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for count in 0...40 {
            let beginning = String(repeating: "_", count: count)
            let accepted = characters.count { (try? Base64URL.decode(beginning + String($0))) != nil }
            #expect(accepted == [0, 4, 16, 64][count % 4])
        }
    }
}

@Suite struct Base45Tests {
    @Test(arguments: [  // RFC 9285 section 4.3 and 4.4
        TextVector("", ""), TextVector("AB", "BB8"), TextVector("Hello!!", "%69 VD92EX0"),
        TextVector("base-45", "UJCLQE7W581"), TextVector("ietf!", "QED8WEX0"),
        TextVector([0xFF, 0xFF], "FGW"), TextVector([0xFF], "U5"), TextVector([0], "00"), TextVector([0, 0], "000"),
    ])
    func `Base45 is written and read`(_ vector: TextVector) throws {
        #expect(Base45.encode(vector.bytes) == vector.text)
        #expect(try Base45.decode(vector.text) == vector.bytes)
    }

    @Test(arguments: [
        TextRefusal("B", .invalidLength, 1), TextRefusal("BB8B", .invalidLength, 4),
        TextRefusal("GGW", .outOfRange, 0),  // RFC 9285 section 6: 65,536 does not fit
        TextRefusal("BB8:::", .outOfRange, 3), TextRefusal("V5", .outOfRange, 0), TextRefusal("::", .outOfRange, 0),
        TextRefusal("bb8", .invalidCharacter, 0), TextRefusal("BB_", .invalidCharacter, 2),
        TextRefusal("B=8", .invalidCharacter, 1), TextRefusal("BBÄ", .invalidCharacter, 2),
    ])
    func `Base45 without bytes is refused with its position`(_ refusal: TextRefusal) {
        refusal.check { (text) throws(TextDecodingError) in try Base45.decode(text) }
    }
}

@Suite struct TextRoundTripTests {
    @Test(arguments: samples)
    func `every form gives back what it was made from`(_ bytes: [UInt8]) throws {
        #expect(try Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(try Base32.decode(Base32.encode(bytes)) == bytes)
        #expect(try Base32.decode(Base32.encode(bytes, padded: true)) == bytes)
        #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        #expect(try Base45.decode(Base45.encode(bytes)) == bytes)
    }

    @Test func `every single byte has one text in every form`() throws {
        let bytes = (UInt8.min ... .max).map { [$0] }
        #expect(Set(bytes.map { Hex.encode($0) }).count == 256)
        #expect(Set(bytes.map { Base32.encode($0) }).count == 256)
        #expect(Set(bytes.map { Base64URL.encode($0) }).count == 256)
        #expect(Set(bytes.map { Base45.encode($0) }).count == 256)
    }

    @Test func `no other text of two characters is a byte`() {
        let characters = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
        let texts = characters.flatMap { first in characters.map { first + $0 } }
        #expect(texts.count { (try? Base32.decode($0)) != nil } == 256)
        #expect(texts.count { (try? Base64URL.decode($0)) != nil } == 256)
        #expect(texts.count { (try? Base45.decode($0)) != nil } == 256)
        #expect(texts.count { (try? Hex.decode($0)) != nil } == 22 * 22)
    }

    @Test func `a text beyond the limit is refused before it is read`() {
        let text = "AAAAAAAAA"
        TextRefusal(text, .tooLong, 9).check { (text) throws(TextDecodingError) in try Hex.decode(text, limit: 8) }
        TextRefusal(text, .tooLong, 9).check { (text) throws(TextDecodingError) in try Base32.decode(text, limit: 8) }
        TextRefusal(text, .tooLong, 9).check { (text) throws(TextDecodingError) in
            try Base64URL.decode(text, limit: 8)
        }
        TextRefusal(text, .tooLong, 9).check { (text) throws(TextDecodingError) in try Base45.decode(text, limit: 8) }
        let long = String(repeating: "0", count: 65_536 * 2 + 1)
        TextRefusal(long, .tooLong, 131_073).check { (text) throws(TextDecodingError) in try Hex.decode(text) }
    }

    @Test func `an error says nothing of the text`() throws {
        let error = try #require(throws: TextDecodingError.self) { _ = try Base32.decode("CANARY!SECRET") }
        #expect(error.location.fileID == "Primitives/Base32.swift")
        #expect(error.description == "a character is not part of the alphabet at position 6")
        var dumped = ""
        dump(error, to: &dumped)
        #expect(dumped.contains("position: 6"))
        #expect(!dumped.contains("CANARY") && !dumped.contains("SECRET"))
    }
}
