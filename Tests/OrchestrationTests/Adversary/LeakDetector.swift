import Crypto
import Primitives

/// A search of the attacker's data for a value that only the right password gives.
///
/// It covers the usual mistakes: a hash, a keyed hash or a part of one of the password, of its pad or of K₁; a public
/// key made from K₁; something sealed under K₁.
struct LeakDetector: Sendable {
    /// The number of bytes that must agree. Fewer bytes would agree by chance.
    private static let window = 6

    private let windows: Set<UInt64>
    private let pieces: [[UInt8]]
    private let salts: [[UInt8]]

    /// - Parameters:
    ///   - haystack: The pieces of the attacker's data.
    ///   - salts: The salts and keys that a leak could use.
    init(haystack: [[UInt8]], salts: [[UInt8]]) {
        var windows: Set<UInt64> = []
        for piece in haystack {
            guard piece.count >= Self.window else { continue }
            var word: UInt64 = 0
            for (place, byte) in piece.enumerated() {
                word = (word << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
                if place >= Self.window - 1 { windows.insert(word) }
            }
        }
        self.windows = windows
        pieces = haystack
        self.salts = salts
    }

    /// Returns what is found for a guess. For a right guess as for a wrong one that must be nothing.
    ///
    /// - Parameter isThorough: Whether all known mistakes are tried, which takes longer.
    func finds(_ guess: StolenDevice.Guess, isThorough: Bool) -> [String] {
        var finds: [String] = []
        let bases = [("password", Array(guess.password.utf8)), ("pad", guess.pad), ("K₁", guess.candidate)]
        for (name, base) in bases {
            for (kind, value) in derived(base, isThorough: isThorough) where contains(value) {
                finds.append("\(kind) of \(name)")
            }
        }
        guard isThorough else { return finds }
        return finds + publicKeys(guess) + sealed(guess)
    }

    private func derived(_ base: [UInt8], isThorough: Bool) -> [(String, [UInt8])] {
        var values: [(String, [UInt8])] = [("copy", base), ("SHA-256", Array(SHA256.hash(data: base)))]
        guard isThorough else { return values }
        values.append(("SHA-512", Array(SHA512.hash(data: base))))
        values.append(("SHA-1", Array(Insecure.SHA1.hash(data: base))))
        let key = SymmetricKey(data: base)
        for salt in salts {
            values.append(("salted SHA-256", Array(SHA256.hash(data: salt + base))))
            values.append(("salted SHA-256", Array(SHA256.hash(data: base + salt))))
            values.append(("keyed hash", Array(HMAC<SHA256>.authenticationCode(for: salt, using: key))))
            values.append(
                ("keyed hash", Array(HMAC<SHA256>.authenticationCode(for: base, using: SymmetricKey(data: salt)))))
            values.append(
                ("HKDF", HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, outputByteCount: 32).bytes))
        }
        for label in Label.allCases {
            values.append(
                ("HKDF", HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: label.bytes, outputByteCount: 32).bytes))
        }
        return values
    }

    private func publicKeys(_ guess: StolenDevice.Guess) -> [String] {
        var keys: [[UInt8]] = []
        if let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: guess.candidate) {
            keys.append(Array(key.publicKey.rawRepresentation))
        }
        if let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: guess.candidate) {
            keys.append(Array(key.publicKey.rawRepresentation))
        }
        if let key = try? P256.Signing.PrivateKey(rawRepresentation: guess.candidate) {
            keys.append(Array(key.publicKey.rawRepresentation))
        }
        return keys.filter(contains).map { _ in "public key of K₁" }
    }

    /// A box that opens under K₁ shows that the key is K₁.
    private func sealed(_ guess: StolenDevice.Guess) -> [String] {
        var finds: [String] = []
        for piece in pieces where piece.count >= 28 {
            let zero = [UInt8](repeating: 0, count: 12)
            for (nonce, text) in [(zero, piece[...]), (Array(piece.prefix(12)), piece.dropFirst(12))] {
                guard text.count >= 16, let nonce = try? AES.GCM.Nonce(data: nonce),
                    let box = try? AES.GCM.SealedBox(
                        nonce: nonce, ciphertext: text.dropLast(16), tag: text.suffix(16)),
                    (try? AES.GCM.open(box, using: guess.key)) != nil
                else { continue }
                finds.append("sealed under K₁")
            }
        }
        return finds
    }

    private func contains(_ value: [UInt8]) -> Bool {
        guard value.count >= Self.window else { return false }
        let word = value.prefix(Self.window).reduce(0) { $0 << 8 | UInt64($1) }
        return windows.contains(word)
    }
}
