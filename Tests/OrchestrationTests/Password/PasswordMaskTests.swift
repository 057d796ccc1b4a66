import Crypto
import Orchestration
import Primitives
import Testing

@Suite struct PasswordMaskTests {
    let secret = Sample.key(0xAB)
    let device = Sample.key(0xCD)
    let salt = [UInt8](repeating: 0x5A, count: 32)

    @Test func `the right password unmasks the secret, at every cost`() async throws {
        for cost in [ScryptCost.testing, .standard] {
            let masked = try await PasswordMask.mask(
                secret: secret, password: Sample.password("739105"), salt: salt, cost: cost, deviceSecret: device)
            #expect(masked != Sample.bytes(secret))
            let again = try await PasswordMask.unmask(
                masked: masked, password: Sample.password("739105"), salt: salt, cost: cost, deviceSecret: device)
            #expect(again == secret)
        }
    }

    @Test func `the pad is HKDF over scrypt with the device's secret, as in the protocol article`() async throws {
        // Computed with Python: hashlib.scrypt(b"739105", salt=b"\x5a"*32, n=16, r=1, p=1, dklen=32), then HKDF-SHA256.
        let pad = try await PasswordMask.pad(
            password: Sample.password("739105"), salt: salt, cost: .testing, deviceSecret: device)
        #expect(Hex.encode(Sample.bytes(pad)) == "ce7344980a6f486e0f203c38036fd412660bb2d5aad0babd2e649bb485441fc1")
    }

    @Test func `a password is its bytes: two spellings of one text are two passwords`() async throws {
        var pads: Set<[UInt8]> = []
        for text in ["Zo\u{EB}-4711", "Zoe\u{308}-4711"] {
            pads.insert(
                Sample.bytes(
                    try await PasswordMask.pad(
                        password: Sample.password(text), salt: salt, cost: .testing, deviceSecret: device)))
        }
        #expect(pads.count == 2)
    }

    @Test func `password, salt, cost and device each change the pad`() async throws {
        var pads: Set<[UInt8]> = []
        for password in ["739105", "739106", "0739105", ""] {
            for salt in [salt, [UInt8](repeating: 0, count: 32)] {
                for device in [device, Sample.key(0)] {
                    let pad = try await PasswordMask.pad(
                        password: Sample.password(password), salt: salt, cost: .testing, deviceSecret: device)
                    pads.insert(Sample.bytes(pad))
                }
            }
        }
        #expect(pads.count == 16)
    }

    @Test func `ten thousand guesses give ten thousand equally likely secrets`() async throws {
        let masked = try await PasswordMask.mask(
            secret: secret, password: Sample.password("7391"), salt: salt, cost: .testing, deviceSecret: device)
        var (seen, ones) = (Set<[UInt8]>(), [Int](repeating: 0, count: 256))
        var bytes = [Int](repeating: 0, count: 256)
        for guess in 0..<10_000 {
            let text = String(repeating: "0", count: 4 - "\(guess)".count) + "\(guess)"
            let key = Sample.bytes(
                try await PasswordMask.unmask(
                    masked: masked, password: Sample.password(text), salt: salt, cost: .testing, deviceSecret: device))
            #expect(key.count == 32)
            seen.insert(key)
            for bit in 0..<256 where key[bit / 8] & 1 << (bit % 8) != 0 { ones[bit] += 1 }
            for byte in key { bytes[Int(byte)] += 1 }
        }
        #expect(seen.count == 10_000)
        #expect(seen.contains(Sample.bytes(secret)))
        // Each bit is one in half the guesses: 5,000 with a deviation of 50; five of them are 250.
        #expect(ones.allSatisfy { abs($0 - 5_000) < 250 })
        // Chi-squared over the values of all bytes: 255 degrees of freedom, deviation 22.6; the input is fixed.
        let expected = 10_000.0 * 32 / 256
        let chiSquared = bytes.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        #expect(chiSquared < 255 + 5 * 22.6)
    }
}
