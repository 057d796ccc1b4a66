/// The check of a text against the grammar of JSON (RFC 8259), with restrictions of I-JSON (RFC 7493, section 2): UTF-8, no
/// name twice in an object, no half of a surrogate pair.
///
/// Foundation's decoder uses one of two members with the same name, and accepts other encodings, numbers such as `01`
/// and trailing commas. A text that two readers interpret differently is refused instead.
package struct JSONSyntax {
    /// The reason why a text is not JSON. It contains no part of the text.
    package struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// The line, from 1.
        package let line: Int
        /// The byte in the line, from 1.
        package let column: Int
        /// The fault in words.
        package let text: String

        /// The place and the reason, such as `line 1, column 14: a name occurs twice in this object`.
        package var description: String { "line \(line), column \(column): \(text)" }
    }

    /// The maximum number of nested arrays and objects.
    package static let maximumDepth = 64

    /// The maximum length of a number, in characters.
    private static let longestNumber = 32

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Throws an error unless bytes are one JSON value.
    package static func check(_ bytes: [UInt8]) throws(Fault) {
        var reader = JSONSyntax(bytes)
        try reader.text()
    }

    private mutating func text() throws(Fault) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw fault("a byte order mark is not allowed") }
        skipSpace()
        guard position < bytes.count else { throw fault("there is no JSON value") }
        try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fault("there is text after the end of the JSON value") }
    }

    private mutating func value(depth: Int) throws(Fault) {
        guard let byte = next else { throw fault("the text ends inside of a value") }
        switch byte {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: throw fault("this is not a JSON value")
        }
    }

    private mutating func object(depth: Int) throws(Fault) {
        try begin(depth: depth)
        // Names are compared as texts, because the decoder compares them by canonical equivalence.
        var names: Set<String> = []
        guard !takes(UInt8(ascii: "}")) else { return }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a name in quotation marks is missing") }
            let start = position
            guard names.insert(String(decoding: try string(), as: UTF8.self)).inserted else {
                throw fault("a name occurs twice in this object", at: start)
            }
            guard takes(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
            skipSpace()
            try value(depth: depth)
        } while takes(UInt8(ascii: ","))
        guard takes(UInt8(ascii: "}")) else { throw fault("a comma or the end of the object is missing") }
    }

    private mutating func array(depth: Int) throws(Fault) {
        try begin(depth: depth)
        guard !takes(UInt8(ascii: "]")) else { return }
        repeat {
            skipSpace()
            try value(depth: depth)
        } while takes(UInt8(ascii: ","))
        guard takes(UInt8(ascii: "]")) else { throw fault("a comma or the end of the array is missing") }
    }

    private mutating func begin(depth: Int) throws(Fault) {
        guard depth <= Self.maximumDepth else {
            throw fault("there are more than \(Self.maximumDepth) arrays and objects inside each other")
        }
        position += 1
    }

    /// Reads a string and returns its content in UTF-8.
    private mutating func string() throws(Fault) -> [UInt8] {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return content
            case UInt8(ascii: "\\"):
                content.append(contentsOf: Array(String(try escape()).utf8))
            case 0..<0x20: throw fault("a control character in a string is not escaped")
            case 0x20..<0x80:
                content.append(byte)
                position += 1
            default:
                let length = try scalarLength()
                content.append(contentsOf: bytes[position..<position + length])
                position += length
            }
        }
        throw fault("a string has no end", at: start)
    }

    /// Returns the number of bytes of the character outside of ASCII at the position (RFC 3629, section 4).
    private func scalarLength() throws(Fault) -> Int {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[position] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw fault("this is not UTF-8")
            }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]),
            bytes[position + 2..<max(position + 2, position + length)].allSatisfy({ (0x80...0xBF).contains($0) })
        else { throw fault("this is not UTF-8") }
        return length
    }

    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let byte = next else { throw fault("a string has no end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw fault("this escape is not one of JSON", at: start)
        }
        let first = try hexadecimal(after: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), next == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw fault("this is half of a surrogate pair", at: start) }
        position += 2
        let second = try hexadecimal(after: start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("this is half of a surrogate pair", at: start) }
        return scalar
    }

    private mutating func hexadecimal(after start: Int) throws(Fault) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("an escape needs four hexadecimal digits", at: start) }
        position += 4
        return number
    }

    private mutating func number() throws(Fault) {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let first = next
        let digits = skipDigits()
        guard digits > 0, first != UInt8(ascii: "0") || digits == 1 else {
            throw fault("this is not a JSON number", at: start)
        }
        if next == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() > 0 else { throw fault("this is not a JSON number", at: start) }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() > 0 else { throw fault("this is not a JSON number", at: start) }
        }
        // A decoder would round a longer number.
        guard position - start <= Self.longestNumber else {
            throw fault("a number has more than \(Self.longestNumber) characters", at: start)
        }
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        let word = Array(word.description.utf8)
        guard bytes[position...].starts(with: word) else { throw fault("this is not a JSON value") }
        position += word.count
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips white space, and one character if it is next.
    private mutating func takes(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
    }

    private func fault(_ text: String, at place: Int? = nil) -> Fault {
        let before = bytes[..<(place ?? position)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return Fault(
            line: before.count { $0 == 0x0A } + 1, column: before.count - lineStart + 1, text: text)
    }
}
