import Crypto
import Foundation
import OrchestrationProtocol
import Primitives
import Testing

@testable import Orchestration

/// An attacker with the device's store and the device's key does not learn the password.
@Suite struct ThiefTests {
    private static let right = WalkWorld.password

    @Test func `ten thousand guesses give ten thousand secrets that look random`() async throws {
        let story = try await Story()
        try await story.live(rounds: 2)
        let guesses = try await story.steal().guesses(PINList.pins(10_000, with: Self.right))
        #expect(guesses.count == 10_000)
        #expect(guesses.allSatisfy { $0.candidate.count == 32 })
        let uniformity = Uniformity(guesses.map(\.candidate))
        #expect(uniformity.isUniform, "\(uniformity)")
        // The right one is among them, and no other is close to it.
        let right = try #require(guesses.first { $0.password == Self.right })
        for guess in guesses where guess.password != Self.right {
            let distance = zip(guess.candidate, right.candidate).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            #expect((80...176).contains(distance))
        }
    }

    @Test func `a secret with a byte that every guess has is detected`() async throws {
        let story = try await Story()
        let guesses = try await story.steal().guesses(PINList.pins(1_000, with: Self.right)).map(\.candidate)
        #expect(Uniformity(guesses).isUniform)
        #expect(!Uniformity(guesses.map { [0x04] + $0.dropFirst() }).hasFlatBytes)
        #expect(!Uniformity(guesses.map { [$0[0] & 0xFE] + $0.dropFirst() }).hasFlatBits)
        #expect(!Uniformity(guesses.dropLast() + guesses.prefix(1)).isUniform)
    }

    @Test func `the right password is found in nothing that the attacker has`() async throws {
        let story = try await Story()
        try await story.live(rounds: 3)
        let stolen = try await story.steal()
        let evidence = try await story.evidence()
        #expect(evidence.receipts.count == 9 && evidence.decisions.count >= 9)
        // An activation, and in each round two codes, a signature and three approvals.
        #expect(evidence.transcripts.count == 1 + 3 * 6)
        let detector = try detector(evidence, stolen)
        let pins = PINList.pins(10_000, with: Self.right)
        for guess in try await stolen.guesses(pins) {
            // Six digits of a wrong guess may occur in a code of eight by chance.
            let finds = detector.finds(guess, isThorough: false)
            #expect(finds.filter { guess.password == Self.right || $0 != "copy of password" }.isEmpty)
        }
        for pin in pins.prefix(20) {
            let finds = detector.finds(try await stolen.guess(pin), isThorough: true)
            #expect(finds.isEmpty, "\(pin == Self.right ? "the right password" : "a wrong one"): \(finds)")
        }
    }

    @Test(arguments: PasswordLeak.allCases, Evidence.Place.allCases)
    func `a place that reveals the password is detected`(_ leak: PasswordLeak, _ place: Evidence.Place) async throws {
        let story = try await Story()
        try await story.live(rounds: 1)
        let stolen = try await story.steal()
        let right = try await stolen.guess(Self.right)
        var evidence = try await story.evidence()
        try evidence.plant(leak.field(right, salt: stolen.record.salt), in: place)
        let detector = try detector(evidence, stolen)
        #expect(!detector.finds(right, isThorough: true).isEmpty)
        let wrong = try await stolen.guess("482916")
        #expect(detector.finds(wrong, isThorough: true).isEmpty)
    }

    @Test func `codes of earlier ratchet indexes test no guess, and one of the present index does`() async throws {
        let story = try await Story()
        try await story.live(rounds: 5)
        let stolen = try await story.steal()
        let earlier = story.codes.filter { $0.index < stolen.record.ratchetIndex }
        #expect(Set(earlier.map(\.index)).count >= 3)
        let guesses = try await stolen.guesses(PINList.pins(10_000, with: Self.right))
        // Of 10,000 guesses 100 agree with a code in the last two digits, give or take six deviations of ten.
        #expect(Set(earlier.suffix(4).map(\.application)) == [1, 2, 4])
        for code in earlier.suffix(4) {
            let made = try await Self.codes(guesses, like: code, stolen: stolen)
            #expect(made[0] != code.text, "the right password makes an earlier code")
            #expect(made.count { $0 == code.text } == 0)
            #expect((40...160).contains(made.count { $0.hasSuffix(code.text.suffix(2)) }))
            #expect(made.allSatisfy { $0.utf8.count == 8 })
        }
        // The control: a code of the present index tests guesses. The detector sees it.
        let right = try await stolen.guess(Self.right)
        let present = Story.SeenCode(
            text: try stolen.code(right.key, application: 2, value: 77), application: 2, value: 77,
            index: stolen.record.ratchetIndex)
        let made = try await Self.codes(guesses, like: present, stolen: stolen)
        #expect(made.count { $0 == present.text } == 1)
        #expect(made[0] == present.text)
        // So does a signature.
        let fields = [DataField(value: "1")]
        let signature = Story.SeenCode(
            text: try stolen.code(right.key, application: 4, value: 78, fields: fields), application: 4, value: 78,
            index: stolen.record.ratchetIndex, fields: fields)
        let signatures = try await Self.codes(guesses, like: signature, stolen: stolen)
        #expect(signatures.count { $0 == signature.text } == 1)
        #expect(signatures[0] == signature.text)
    }

    @Test func `copies from before and after a change test no guess, neither alone nor together`() async throws {
        let new = "739164"
        try await requireNoTest(Theft(changingTo: new), new, guesses: 10_000)
    }

    @Test func `copies from before and after an unlock, with the used code, test no guess`() async throws {
        let new = "739164"
        try await requireNoTest(Theft(changingTo: new, byUnlock: true), new, guesses: 300)
    }

    @Test(arguments: ChangeLeak.allCases)
    func `an unlock that reveals something is detected`(_ leak: ChangeLeak) async throws {
        let new = "739164"
        let theft = try await Theft(changingTo: new, byUnlock: true)
        try await requireFound(leak, nil, theft, new)
    }

    /// Requires that nothing distinguishes a right guess from a wrong one, neither of one copy nor of both.
    private func requireNoTest(_ theft: Theft, _ new: String, guesses: Int) async throws {
        let pins = PINList.pins(guesses, with: Self.right)
        let newPins = PINList.pins(guesses, with: new)
        let (before, after) = (try await theft.before.guesses(pins), try await theft.after.guesses(newPins))
        #expect(Uniformity(before.map(\.candidate)).isUniform && Uniformity(after.map(\.candidate)).isUniform)
        let detector = try theft.detector()
        for guess in before + after {
            // Six digits of a wrong guess may occur in a code of eight by chance.
            let finds = detector.finds(guess, isThorough: false)
            let isRight = guess.password == Self.right || guess.password == new
            #expect(finds.filter { isRight || $0 != "copy of password" }.isEmpty)
        }
        // The right current password with each new one, and the other way around: the difference of the secrets is δ
        // for the right pair alone, and nothing shows it.
        let pairs = zip(before, after).flatMap { old, latest in
            [Self.pair(before[0], latest), Self.pair(old, after[0])]
        }
        #expect(Uniformity(Array(pairs.dropFirst(2).map(\.candidate))).hasFlatBytes)
        for (place, pair) in pairs.enumerated() {
            let finds = detector.finds(pair, isThorough: place < 20)
            #expect(finds.filter { place < 2 || $0 != "copy of password" }.isEmpty)
        }
        // No two guesses of the two copies give the same secret.
        #expect(Set(before.map(\.candidate)).isDisjoint(with: after.map(\.candidate)))
    }

    @Test(arguments: ChangeLeak.allCases, [nil] + Evidence.Place.allCases)
    func `a change of the password that reveals something is detected`(
        _ leak: ChangeLeak, _ place: Evidence.Place?
    ) async throws {
        let new = "739164"
        try await requireFound(leak, place, Theft(changingTo: new), new)
    }

    /// Requires that a leak is found with the right guesses, and that nothing is found with wrong ones.
    private func requireFound(
        _ leak: ChangeLeak, _ place: Evidence.Place?, _ stolen: Theft, _ new: String
    ) async throws {
        var theft = stolen
        let (old, latest) = (try await theft.before.guess(Self.right), try await theft.after.guess(new))
        if let place {
            for piece in leak.pieces(old, latest) { try theft.evidence.plant(piece, in: place) }
        } else {
            theft.evidence.plant(leak.pieces(old, latest))
        }
        let detector = try theft.detector()
        func isFound(_ old: StolenDevice.Guess, _ latest: StolenDevice.Guess) -> Bool {
            [old, latest, Self.pair(old, latest)].contains { !detector.finds($0, isThorough: true).isEmpty }
        }
        #expect(isFound(old, latest))
        let (wrongOld, wrongLatest) = (try await theft.before.guess("482916"), try await theft.after.guess("739165"))
        #expect(!isFound(wrongOld, wrongLatest))
    }

    @Test func `transcripts of another password differ in nothing`() async throws {
        func transcripts(_ password: String, _ new: String) async throws -> [Transcript] {
            let story = try await Story(password: password)
            try await story.live(rounds: 2)
            try await story.changePassword(from: password, to: new)
            try await story.live(rounds: 1)
            return story.transcripts
        }
        let (first, second) = (try await transcripts(Self.right, "739164"), try await transcripts("861407", "50271936"))
        #expect(first.count == 1 + 3 * 6 + 1 && first.contains { $0.flow == "passwordChange" })
        // The correlation ids are drawn at random.
        func comparable(_ transcripts: [Transcript]) -> [[String]] {
            transcripts.map { [$0.flow, "\($0.startedAt)"] + $0.entries.map { $0.cells.joined(separator: " ") } }
        }
        #expect(comparable(first) == comparable(second))
        // The control: a name that says what a new password looked like.
        var leaking = second
        leaking[0].entries[0] = .init(milliseconds: 0, .event, "inputRejected: tooShort")
        #expect(comparable(first) != comparable(leaking))
    }

    /// Returns the difference of two secrets, as a guess of both passwords gives it.
    private static func pair(_ old: StolenDevice.Guess, _ latest: StolenDevice.Guess) -> StolenDevice.Guess {
        func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { zip(a, b).map { $0 ^ $1 } }
        return StolenDevice.Guess(
            password: "\(old.password) \(latest.password)", pad: difference(old.pad, latest.pad),
            candidate: difference(old.candidate, latest.candidate))
    }

    @Test func `an earlier state of the key ratchet is not in the record`() async throws {
        let story = try await Story()
        try await story.live(rounds: 1)
        let before = try await story.steal()
        try await story.live(rounds: 3)
        let after = try await story.steal()
        #expect(after.record.ratchetIndex > before.record.ratchetIndex)
        // Neither the earlier state nor an input is in any part of the record.
        let pieces = try CBORValue(decoding: try await story.recordBytes()).leaves
        #expect(!pieces.contains(before.record.ratchet.bytes) && after.record.ratchetInput == nil)
    }

    private func detector(_ evidence: Evidence, _ stolen: StolenDevice) throws -> LeakDetector {
        LeakDetector(
            haystack: try evidence.pieces(),
            salts: [
                stolen.record.salt, stolen.record.deviceID, stolen.passwordSecret.bytes, stolen.storageSecret.bytes,
                stolen.record.possessionSecret.bytes, stolen.record.presharedKey.bytes, stolen.record.ratchet.bytes,
                Array(stolen.record.account.text.utf8),
            ])
    }

    private static func codes(
        _ guesses: [StolenDevice.Guess], like code: Story.SeenCode, stolen: StolenDevice
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for start in stride(from: 0, to: guesses.count, by: 1_000) {
                let share = guesses[start..<min(start + 1_000, guesses.count)]
                group.addTask {
                    (
                        start,
                        try share.map {
                            try stolen.code(
                                $0.key, application: code.application, value: code.value, fields: code.fields)
                        }
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }
}

/// Everything that an attacker has who copied the device before and after a change of the password or an unlock, whose
/// used code is a part of it.
private struct Theft {
    let before: StolenDevice
    let after: StolenDevice
    var evidence: Evidence
    private let earlier: Evidence

    init(changingTo new: String, byUnlock unlocks: Bool = false) async throws {
        let story = try await Story()
        try await story.live(rounds: 2)
        before = try await story.steal()
        earlier = try await story.evidence()
        var used: [String] = []
        if unlocks { used.append(try await story.unlock(to: new)) } else { try await story.changePassword(to: new) }
        try await story.live(rounds: 2)
        after = try await story.steal()
        evidence = try await story.evidence()
        evidence.codes += used.map { Array($0.utf8) }
    }

    func detector() throws -> LeakDetector {
        LeakDetector(
            haystack: try earlier.pieces() + evidence.pieces() + [Self.difference(before, after)],
            salts: [
                before.record.salt, after.record.salt, after.record.deviceID, after.passwordSecret.bytes,
                after.storageSecret.bytes, after.record.possessionSecret.bytes, after.record.presharedKey.bytes,
                before.record.ratchet.bytes, after.record.ratchet.bytes, Array(after.record.account.text.utf8),
            ])
    }

    /// The difference of the wraps. It would be that of the pads if both had the same secret.
    private static func difference(_ a: StolenDevice, _ b: StolenDevice) -> [UInt8] {
        zip(a.record.maskedSecret, b.record.maskedSecret).map { $0 ^ $1 }
    }
}

/// Known mistakes in a change of the password.
enum ChangeLeak: CaseIterable {
    /// δ is kept.
    case change
    /// A hash of δ is kept.
    case hashOfChange
    /// The second wrap has the secret of the first one, so that the difference of the wraps is that of the pads.
    case sameSecret
    /// A value that depends on the earlier secret is kept.
    case hashOfEarlierSecret

    func pieces(_ old: StolenDevice.Guess, _ latest: StolenDevice.Guess) -> [[UInt8]] {
        func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { zip(a, b).map { $0 ^ $1 } }
        let change = difference(old.candidate, latest.candidate)
        return switch self {
        case .change: [change]
        case .hashOfChange: [Array(SHA256.hash(data: change))]
        case .sameSecret: [difference(old.pad, latest.pad)]
        case .hashOfEarlierSecret: [Array(SHA256.hash(data: old.candidate))]
        }
    }
}

/// Known mistakes in the storage of passwords.
enum PasswordLeak: CaseIterable {
    case hashOfPassword, saltedHashOfPassword, hashOfSecret, keyedHash, partOfSecret, publicKey, sealedUnderSecret

    func field(_ guess: StolenDevice.Guess, salt: [UInt8]) throws -> [UInt8] {
        let password = Array(guess.password.utf8)
        return switch self {
        case .hashOfPassword: Array(SHA256.hash(data: password).prefix(8))
        case .saltedHashOfPassword: Array(SHA256.hash(data: salt + password))
        case .hashOfSecret: Array(SHA256.hash(data: guess.candidate).prefix(6))
        case .keyedHash: Array(HMAC<SHA256>.authenticationCode(for: salt, using: guess.key))
        case .partOfSecret: Array(guess.candidate.prefix(6))
        case .publicKey:
            Array(try Curve25519.Signing.PrivateKey(rawRepresentation: guess.candidate).publicKey.rawRepresentation)
        case .sealedUnderSecret:
            Array(
                try AES.GCM.seal([1, 2, 3], using: guess.key).combined ?? Data())
        }
    }
}
