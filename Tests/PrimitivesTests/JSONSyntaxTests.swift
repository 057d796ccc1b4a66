import Foundation
import Primitives
import Testing

@Suite struct JSONSyntaxTests {
    @Test(arguments: [
        "{}", "[]", "null", "true",
        " {\"a\":[1,-0,0.5,1e3,2E-7,false],\"b\":{\"a\":\"\\u00e9\\ud83d\\ude00\\n\"}}\r\n\t ",
        "\"é€😀\"", "{\"\":1,\" \":2}", "12345678901234567890123456789012",
    ])
    func `JSON is accepted`(text: String) throws {
        try JSONSyntax.check(Array(text.utf8))
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    @Test(arguments: [
        ("", "line 1, column 1: there is no JSON value"), ("  \n ", "line 2, column 2: there is no JSON value"),
        ("\u{FEFF}{}", "line 1, column 1: a byte order mark is not allowed"),
        ("{} x", "line 1, column 4: there is text after the end of the JSON value"),
        ("{\"a\":1,\"a\":2}", "line 1, column 8: a name occurs twice in this object"),
        ("{\"a\":1,\n\"\\u0061\":2}", "line 2, column 1: a name occurs twice in this object"),
        ("{\"a\":{\"b\":1,\"b\":1}}", "line 1, column 13: a name occurs twice in this object"),
        ("{\"passKey\":1,\"pass\u{212A}ey\":2}", "line 1, column 14: a name occurs twice in this object"),
        ("{\"a\":1,}", "line 1, column 8: a name in quotation marks is missing"),
        ("[1,]", "line 1, column 4: this is not a JSON value"),
        ("[1 2]", "line 1, column 4: a comma or the end of the array is missing"),
        ("{\"a\" 1}", "line 1, column 6: a colon is missing"),
        ("{a:1}", "line 1, column 2: a name in quotation marks is missing"),
        ("{'a':1}", "line 1, column 2: a name in quotation marks is missing"),
        ("{\"a\":1", "line 1, column 7: a comma or the end of the object is missing"),
        ("[", "line 1, column 2: the text ends inside of a value"),
        ("01", "line 1, column 1: this is not a JSON number"),
        ("-", "line 1, column 1: this is not a JSON number"), ("1.", "line 1, column 1: this is not a JSON number"),
        (".5", "line 1, column 1: this is not a JSON value"), ("+1", "line 1, column 1: this is not a JSON value"),
        ("1e", "line 1, column 1: this is not a JSON number"), ("NaN", "line 1, column 1: this is not a JSON value"),
        ("nul", "line 1, column 1: this is not a JSON value"),
        ("// a\n1", "line 1, column 1: this is not a JSON value"),
        ("123456789012345678901234567890123", "line 1, column 1: a number has more than 32 characters"),
        ("\"a", "line 1, column 1: a string has no end"),
        ("\"\t\"", "line 1, column 2: a control character in a string is not escaped"),
        ("\"\\x\"", "line 1, column 2: this escape is not one of JSON"),
        ("\"\\u12g4\"", "line 1, column 2: an escape needs four hexadecimal digits"),
        ("\"\\ud800\"", "line 1, column 2: this is half of a surrogate pair"),
        ("\"\\udc00\\ud800\"", "line 1, column 2: this is half of a surrogate pair"),
        ("\"\\ud800\\u0061\"", "line 1, column 2: this is half of a surrogate pair"),
        (
            String(repeating: "[", count: 65),
            "line 1, column 65: there are more than 64 arrays and objects inside each other"
        ),
    ])
    func `another text is refused with its place`(text: String, fault: String) {
        #expect { try JSONSyntax.check(Array(text.utf8)) } throws: { "\($0)" == fault }
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC3, 0x28], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused, also in a member that is not read`(bytes: [UInt8]) {
        let text = Array("{\"unread\":\"".utf8) + bytes + Array("\"}".utf8)
        #expect { try JSONSyntax.check(text) } throws: { "\($0)" == "line 1, column 12: this is not UTF-8" }
    }

    @Test func `every text that is cut is refused`() throws {
        let text = Array("{\"a\":[1.5e7,\"é\\u00e9\",{\"b\":null}],\"c\":false}".utf8)
        try JSONSyntax.check(text)
        for count in 0..<text.count {
            #expect(throws: JSONSyntax.Fault.self) { try JSONSyntax.check(Array(text[..<count])) }
        }
    }
}
