import Crypto
import OneTimePassword

/// Registers the number of results that differ from swift-crypto's, for a million random inputs of each hash function
/// in portable C and with the instructions of the processor. `.ci/budgets` requires 0.
func agreementBudget() {
    Budget.benchmark("budget-otp-agreement", HashAlgorithm.allCases.map { "\($0.rawValue)-differences" }) { budget in
        for algorithm in HashAlgorithm.allCases {
            budget.enter("\(algorithm.rawValue)-differences", try differences(algorithm, inputs: 1_000_000))
        }
    }
}

private func differences(_ algorithm: HashAlgorithm, inputs: Int) throws -> Int {
    var random = Numbers(state: UInt64(algorithm.byteCount))
    var differences = 0
    for _ in 0..<inputs {
        let bytes = random.bytes(1 + Int(random.next() % 160))
        let message = random.bytes(Int(random.next() % 300))
        let counter = random.next() >> (random.next() % 64) | 16
        let place = random.next() % 12
        let key = SymmetricKey(data: bytes)
        let code = authenticationCode(algorithm, message, key)
        let counted = authenticationCode(algorithm, (0..<8).map { UInt8(counter >> (56 - 8 * $0) & 0xFF) }, key)
        let number = unsafe counted.withUnsafeBytes(truncated)
        let text = String(String(10_000_000_000 + UInt64(number)).dropFirst())
        for usesInstructions in [false, true] {
            let ours = try OneTimePasswordKey(bytes.span, algorithm: algorithm, usesInstructions: usesInstructions)
            differences += ours.authenticationCode(for: message.span) == code ? 0 : 1
            let hotp = try HOTP(key: ours, digits: 10)
            differences += hotp.code(counter: counter).digits == text ? 0 : 1
            // The code is the last one of a window of 1 to 12 places: each size for which a path is chosen.
            let found = hotp.verify(text, from: counter - place, lookAhead: Int(place))
            differences += found == counter ? 0 : 1
        }
    }
    return differences
}

private func authenticationCode(_ algorithm: HashAlgorithm, _ message: [UInt8], _ key: SymmetricKey) -> [UInt8] {
    switch algorithm {
    case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
    case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
    }
}

/// A generator that returns the same random numbers in every run.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count + 8) { bytes, initialized in
            for start in stride(from: 0, to: count, by: 8) {
                let number = next()
                for index in 0..<8 { unsafe bytes[start + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
            }
            initialized = count
        }
    }
}
