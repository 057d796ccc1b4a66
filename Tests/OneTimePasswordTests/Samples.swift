import OneTimePassword
import Primitives

/// Returns a key from hexadecimal text.
func key(_ hex: String, _ algorithm: HashAlgorithm) throws -> OneTimePasswordKey {
    try OneTimePasswordKey(copying: Hex.decode(hex), algorithm: algorithm)
}

/// Returns the ASCII seed of the RFCs, which repeats `1234567890`.
func seed(_ algorithm: HashAlgorithm) -> [UInt8] {
    (0..<algorithm.byteCount).map { UInt8(48 + ($0 + 1) % 10) }
}

func algorithm(_ name: String) throws -> HashAlgorithm {
    guard let algorithm = HashAlgorithm(name: name) else { throw UnknownAlgorithm() }
    return algorithm
}

struct UnknownAlgorithm: Error {}

/// Returns all texts that differ from a code in one digit, and texts that are longer, shorter or not digits.
func neighbors(of code: String) -> [String] {
    let digits: [Character] = Array(code)
    var changed: [String] = []
    for index in digits.indices {
        for other in "0123456789" where other != digits[index] {
            var text = digits
            text[index] = other
            changed.append(String(text))
        }
    }
    let start = String(code.dropLast())
    let others: [String] = [
        "", start, String(code.dropFirst()), code + "0", "0" + code, " " + code, code + " ", "+" + code.dropFirst(),
        "-" + code.dropFirst(), start + "/", start + ":", start + "é", start + "٣",
    ]
    return changed + others
}
