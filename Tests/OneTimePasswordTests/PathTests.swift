import Crypto
import Foundation
import OneTimePassword
import Primitives
import TestSupport
import Testing

/// Compares the hash functions with swift-crypto on random input, in portable C and with the processor's instructions.
/// `Benchmarks` does so a million times.
@Suite struct PathTests {
    private func authenticationCode(_ message: [UInt8], _ key: [UInt8], _ algorithm: HashAlgorithm) -> [UInt8] {
        let key = SymmetricKey(data: key)
        return switch algorithm {
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
        }
    }

    /// The truncation as RFC 4226 section 5.3 describes it.
    private func code(_ counter: UInt64, _ key: [UInt8], _ algorithm: HashAlgorithm, _ digits: Int) -> String {
        let hash = authenticationCode((0..<8).map { UInt8(counter >> (56 - 8 * $0) & 0xFF) }, key, algorithm)
        let offset = Int((hash.last ?? 0) & 0xF)
        var number = 0
        for index in 0..<4 { number = number << 8 | Int(hash[offset + index]) }
        let text = String(number & 0x7FFF_FFFF)
        return String((String(repeating: "0", count: 10) + text).suffix(digits))
    }

    @Test(arguments: HashAlgorithm.allCases, [false, true])
    func `the HMAC is that of swift-crypto for every length of key and message`(
        _ algorithm: HashAlgorithm, _ usesInstructions: Bool
    ) throws {
        var numbers = SeededGenerator(seed: 1)
        let lengths: [Int] = Array(0...300) + [447, 448, 511, 512, 513, 1023, 1024, 4096]
        for length in lengths {
            let (bytes, message) = (numbers.bytes(min(max(length, 1), 1024)), numbers.bytes(length))
            for (key, message) in [(bytes, numbers.bytes(8)), (numbers.bytes(20), message), (bytes, message)] {
                let ours = try OneTimePasswordKey(key.span, algorithm: algorithm, usesInstructions: usesInstructions)
                    .authenticationCode(for: message.span)
                #expect(ours == authenticationCode(message, key, algorithm), "\(key.count), \(message.count)")
            }
        }
    }

    @Test(arguments: HashAlgorithm.allCases, [false, true])
    func `a code is that of swift-crypto for random keys and counters`(
        _ algorithm: HashAlgorithm, _ usesInstructions: Bool
    ) throws {
        var numbers = SeededGenerator(seed: 2)
        for round in 0..<1500 {
            let bytes = numbers.bytes(1 + Int(numbers.next() % 140))
            let counter = numbers.next() >> (round % 64)
            let digits = 6 + round % 5
            let key = try OneTimePasswordKey(bytes.span, algorithm: algorithm, usesInstructions: usesInstructions)
            let digitsOfCode = try HOTP(key: key, digits: digits).code(counter: counter).digits
            #expect(digitsOfCode == code(counter, bytes, algorithm, digits))
        }
    }

    /// The sizes around the limits between paths, and counters with a carry and with an overflow.
    @Test(arguments: HashAlgorithm.allCases, [false, true])
    func `a window finds each of its codes at its place`(_ algorithm: HashAlgorithm, _ usesInstructions: Bool) throws {
        var numbers = SeededGenerator(seed: 3)
        let bytes = numbers.bytes(32)
        let hotp = try HOTP(
            key: OneTimePasswordKey(bytes.span, algorithm: algorithm, usesInstructions: usesInstructions), digits: 10)
        for first: UInt64 in [0, 0xFFFF_FFFA, 0x1234_FFFF_FFF9, .max - 5, .max - 30] {
            let codes = (0...20).map { code(first &+ $0, bytes, algorithm, 10) }
            for count in 1...20 {
                for place in 0..<count {
                    let (counter, overflow) = first.addingReportingOverflow(UInt64(place))
                    let found = hotp.verify(codes[place], from: first, lookAhead: count - 1)
                    #expect(found == (overflow ? nil : counter), "\(first) \(count) \(place)")
                }
                #expect(hotp.verify(codes[count], from: first, lookAhead: count - 1) == nil)
            }
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `the widest window is searched to its end`(_ algorithm: HashAlgorithm) throws {
        let bytes = seed(algorithm)
        let hotp = try HOTP(key: OneTimePasswordKey(bytes.span, algorithm: algorithm), digits: 10)
        for place: UInt64 in [0, 127, 128, 129, 255, 256, 999, 1000] {
            #expect(hotp.verify(code(7 + place, bytes, algorithm, 10), from: 7, lookAhead: 1000) == 7 + place)
        }
        #expect(hotp.verify(code(1008, bytes, algorithm, 10), from: 7, lookAhead: 1000) == nil)
    }
}
