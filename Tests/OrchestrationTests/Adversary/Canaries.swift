import Foundation

/// Secrets of a test, in every form in which they might appear.
struct Canaries: Sendable {
    private struct Needle: Sendable {
        let name: String
        let bytes: Data
    }

    private var needles: [Needle] = []

    /// A secret that is text: a password, a code.
    mutating func add(_ name: String, text: String) { add(name, bytes: Array(text.utf8)) }

    /// A secret of bytes: a key. As bytes, in hexadecimal, Base64 and Base64URL, and as a list of numbers.
    mutating func add(_ name: String, bytes: [UInt8]) {
        let hex = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        let base64 = String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
        let base64URL = String(base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        let numbers = bytes.prefix(8).map { String($0) }.joined(separator: ", ")
        let words = [hex, hex.uppercased(), base64, base64URL, numbers]
        for form in [Data(bytes)] + words.map({ Data($0.utf8) }) where form.count >= 6 {
            needles.append(Needle(name: name, bytes: form))
        }
    }

    /// Returns the names of the secrets that data contains.
    func found(in data: Data) -> Set<String> {
        Set(needles.filter { data.range(of: $0.bytes) != nil }.map(\.name))
    }

    func found(in text: String) -> Set<String> { found(in: Data(text.utf8)) }

    /// Every form of every secret, for the check that each is found.
    var forms: [(name: String, bytes: Data)] { needles.map { ($0.name, $0.bytes) } }
}

/// The printed forms of a value of any type.
enum Printed {
    static func text(_ value: Any) -> String {
        var text = "\(value) \(String(describing: value)) \(String(reflecting: value)) "
        dump(value, to: &text)
        describe(Mirror(reflecting: value), depth: 0, into: &text)
        if let error = value as? any Error { text += " \(error.localizedDescription)" }
        return text
    }

    /// Children of children, and byte arrays as numbers in one line, where `dump` writes one a line.
    private static func describe(_ mirror: Mirror, depth: Int, into text: inout String) {
        guard depth < 12 else { return }
        for child in mirror.children {
            if let bytes = child.value as? [UInt8] {
                text += " [\(bytes.map { String($0) }.joined(separator: ", "))]"
                continue
            }
            text += " \(child.label ?? "")=\(child.value)"
            describe(Mirror(reflecting: child.value), depth: depth + 1, into: &text)
        }
        if let parent = mirror.superclassMirror { describe(parent, depth: depth + 1, into: &text) }
    }
}
