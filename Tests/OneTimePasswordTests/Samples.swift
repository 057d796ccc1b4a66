import OneTimePassword
import Primitives

/// A key from hexadecimal.
func key(_ hex: String, _ algorithm: HashAlgorithm) throws -> OneTimePasswordKey {
    try OneTimePasswordKey(copying: Hex.decode(hex), algorithm: algorithm)
}

/// The ASCII seed of the RFCs, `1234567890` over and over.
func seed(_ algorithm: HashAlgorithm) -> [UInt8] {
    (0..<algorithm.byteCount).map { UInt8(48 + ($0 + 1) % 10) }
}

func algorithm(_ name: String) throws -> HashAlgorithm {
    guard let algorithm = HashAlgorithm(name: name) else { throw UnknownAlgorithm() }
    return algorithm
}

struct UnknownAlgorithm: Error {}

/// Every text that differs from a code in one digit, and those that are longer, shorter or not digits.
func neighbours(of code: String) -> [String] {
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
