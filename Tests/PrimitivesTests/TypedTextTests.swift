import Primitives
import Testing

/// The forms of what people type.
@Suite struct TypedTextTests {
    @Test(arguments: [
        ("12345678", "12345678"), ("1234 5678", "12345678"), ("12345678\r\n", "12345678"),
        ("\t1234\u{A0}5678 ", "12345678"),
        ("１２３４５６７８", "12345678"), ("١٢٣٤٥٦٧٨", "12345678"), ("1234\u{200B}5678\u{FEFF}", "12345678"),
        ("1234-5678", "1234-5678"), ("12a4", "12a4"), ("½²", "½²"), ("", ""), (" ", ""),
    ])
    func `a code is its digits`(typed: String, digits: String) {
        #expect(TypedDigits.of(typed) == digits)
        #expect(TypedDigits.of(digits) == digits)
    }

    @Test(arguments: [
        ("Zoe\u{308}", "Zo\u{EB}"), ("pass\u{3000}word\u{A0}1", "pass word 1"), ("  two  ", "  two  "), ("Ａ１", "Ａ１"),
        ("\u{212B}", "\u{C5}"), ("\u{1E9B}\u{323}", "\u{1E9B}\u{323}"), ("ascii ~", "ascii ~"), ("", ""),
    ])
    func `a password is an opaque string of RFC 8265`(typed: String, form: String) {
        #expect(OpaqueString.of(typed).utf8.elementsEqual(form.utf8))
        let secret = OpaqueString.of(SecretBytes(copying: typed.utf8))
        #expect(secret.withBytes { span in span.indices.map { span[$0] } } == Array(form.utf8))
    }

    @Test(arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `a secret that is no text stays`(bytes: [UInt8]) {
        let secret = OpaqueString.of(SecretBytes(copying: bytes))
        #expect(secret.withBytes { span in span.indices.map { span[$0] } } == bytes)
    }
}
