import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Key statements in a row: those of `Tests/Vectors/protocol/statements.json`, and ones with a fault.
@Suite struct KeyStatementTests {
    struct Vector: Decodable {
        let statements: [String]
        let fingerprints: [String]
        let times: [Int64]
        let signingSeeds: [String]
        let signingPeriods: [[Int64?]]
        let sealingKeyIDs: [String]
        let sealingFrom: [Int64]
        /// What is refused instead of statement 2: why, the code of the error, the list.
        let refused: [[String]]
        /// What is refused instead of statement 3.
        let refusedLater: [[String]]
    }

    let vector: Vector
    let statements: [SignatureList]
    let first: KeyStatement

    init() throws {
        vector = try Vectors.decode(Vector.self, "protocol/statements.json")
        statements = try vector.statements.map { try SignatureList(decoding: [UInt8](hex: $0)) }
        first = try KeyStatement.verified(first: statements[0], suite: .classic)
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func pair(_ index: Int) throws -> SigningKeyPair {
        try SigningKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](hex: vector.signingSeeds[index])))
    }

    private func refused(_ list: [SignatureList], suite: Suite? = .classic) -> SecureChannelError.Code? {
        refusal { try first.verified(following: list, suite: suite) }
    }

    @Test func `the published statements verify, one after another and at once`() throws {
        var latest = first
        var row = [first]
        for next in statements.dropFirst() {
            latest = try latest.verified(following: [next], suite: .classic)
            row.append(latest)
        }
        #expect(row.map(\.sequence) == [1, 2, 3, 4])
        #expect(row.map(\.fingerprint) == vector.fingerprints.map { [UInt8](hex: $0) })
        #expect(row.map(\.previous) == [nil] + row.dropLast().map(\.fingerprint))
        #expect(row.map(\.time) == vector.times.map(time))
        #expect(latest.sequence == 4)
        #expect(try first.verified(following: Array(statements.dropFirst()), suite: .classic) == latest)
        #expect(try first.verified(following: [], suite: .classic) == first)
        // The signatures are those that this package makes.
        #expect(try first.signed(with: [pair(0)]) == statements[0])
    }

    @Test func `statements that a device has are passed over`() throws {
        let second = try first.verified(following: [statements[1]], suite: .classic)
        #expect(try second.verified(following: statements, suite: .classic).sequence == 4)
        #expect(try second.verified(following: [statements[1]], suite: .classic) == second)
    }

    @Test func `each published refusal is refused with its error`() throws {
        let second = try first.verified(following: [statements[1]], suite: .classic)
        #expect(vector.refused.count == 10 && vector.refusedLater.count == 3)
        for (known, rows) in [(first, vector.refused), (second, vector.refusedLater)] {
            for row in rows {
                let list = try SignatureList(decoding: [UInt8](hex: row[2]))
                let code = refusal { try known.verified(following: [list], suite: .classic) }
                #expect(code?.description == row[1], "\(row[0])")
            }
        }
    }

    @Test func `a gap is refused, at the beginning and inside`() {
        #expect(refused([statements[2]]) == .statementGap)
        #expect(refused([statements[1], statements[3]]) == .statementGap)
        #expect(refused([statements[1], statements[1]]) == .statementGap)
        #expect(refused([statements[2], statements[1]]) == .statementGap)
    }

    @Test func `a list that ends before the known statement changes nothing`() throws {
        let third = try first.verified(following: [statements[1], statements[2]], suite: .classic)
        #expect(try third.verified(following: [statements[1]], suite: .classic) == third)
        #expect(try third.verified(following: [statements[0], statements[1]], suite: .classic) == third)
        #expect(
            refusal { try third.verified(following: [statements[0], statements[3]], suite: .classic) } == .statementGap)
    }

    @Test func `another statement with the number of the known one is refused`() throws {
        let third = try first.verified(following: [statements[1], statements[2]], suite: .classic)
        var other = third
        other.keys[0].notBefore = other.keys[0].notBefore.advanced(milliseconds: 1)
        let forked = try other.signed(with: [pair(1)])
        #expect(
            refusal { try third.verified(following: [forked, statements[3]], suite: .classic) } == .statementRollback)
    }

    @Test func `a wrong signer is refused: a key of the next statement, of an earlier one, and an unlisted one`() throws
    {
        var second = try first.verified(following: [statements[1]], suite: .classic)
        #expect(refused([try second.signed(with: [pair(1)])]) == .statementSigner)
        #expect(refused([try second.signed(with: [pair(3)])]) == .statementSigner)
        #expect(refused([try second.signed(with: [pair(0), pair(1)])]) == .statementSigner)
        // A signer that the statement itself leaves out.
        second.keys.removeAll { $0.kid == first.keys.first { $0.use == .signing }?.kid }
        #expect(refused([try second.signed(with: [pair(0)])]) == .statementSigner)
        // An old key, two statements later.
        let third = try first.verified(following: [statements[1], statements[2]], suite: .classic)
        let forged = try third.next(third.keys, at: vector.times[3]).signed(with: [pair(0)])
        #expect(refusal { try third.verified(following: [forged], suite: .classic) } == .statementSigner)
        // A statement that does not list its signer.
        #expect(refusal { try KeyStatement.verified(first: forged, suite: .classic) } == .statementSigner)
    }

    @Test func `a key signs the next statement until its end by the statement before, and not from then on`() throws {
        let second = try first.verified(following: [statements[1]], suite: .classic)
        let end = try #require(vector.signingPeriods[1][1])
        let third = try second.verified(following: [statements[2]], suite: .classic)
        // Statement 3 announces the successor: both keys sign at the time of the change.
        for (number, at, code) in [
            (1, end, nil), (1, end + 1, .keyNotValid), (2, end, nil), (2, end - 1, .keyNotValid),
        ] as [(Int, Int64, SecureChannelError.Code?)] {
            let fourth = try third.next(third.keys, at: at).signed(with: [pair(number)])
            #expect(refusal { try third.verified(following: [fourth], suite: .classic) } == code, "\(number) at \(at)")
        }
        // Every signature counts, not one of them.
        let both = try third.next(third.keys, at: end + 1).signed(with: [pair(2), pair(1)])
        #expect(refusal { try third.verified(following: [both], suite: .classic) } == .keyNotValid)
    }

    @Test func `the signer of statement 1 is valid at its time, and that of another one in an activation was before`()
        throws
    {
        func code(_ statement: KeyStatement) -> SecureChannelError.Code? {
            refusal { try KeyStatement.verified(first: statement.signed(with: [pair(0)]), suite: .classic) }
        }
        let start = try #require(vector.signingPeriods[0][0])
        #expect(code(.first(first.keys, at: start)) == nil)
        #expect(code(.first(first.keys, at: start - 1)) == .keyNotValid)
        var ended = first.keys
        for index in ended.indices where ended[index].use == .signing { ended[index].notAfter = time(start + 5) }
        #expect(code(.first(ended, at: start + 5)) == nil)
        #expect(code(.first(ended, at: start + 6)) == .keyNotValid)
        #expect(code(first.next(ended, at: start + 6)) == nil)
    }

    @Test func `the end of a known key may be set and become earlier, and is never removed or later`() throws {
        let start = vector.times[0]
        func code(_ end: Int64?, after known: Int64?, of use: StatedKey.Use) throws -> SecureChannelError.Code? {
            func ending(_ end: Int64?) -> [StatedKey] {
                first.keys.map { key in
                    var key = key
                    if key.use == use { key.notAfter = end.map(time) }
                    return key
                }
            }
            let before = KeyStatement.first(ending(known), at: start)
            let next = try before.next(ending(end), at: start + 1).signed(with: [pair(0)])
            return refusal { try before.verified(following: [next], suite: .classic) }
        }
        for use in [StatedKey.Use.signing, .sealing] {
            #expect(try code(nil, after: nil, of: use) == nil)
            #expect(try code(start + 9, after: nil, of: use) == nil)
            #expect(try code(start + 9, after: start + 9, of: use) == nil)
            #expect(try code(start + 8, after: start + 9, of: use) == nil)
            #expect(try code(start + 10, after: start + 9, of: use) == .statementKeys)
            #expect(try code(nil, after: start + 9, of: use) == .statementKeys)
        }
        // The use and the algorithm of a known key.
        for change in [{ $0.use = .sealing }, { $0.algorithm = 1 }] as [(inout StatedKey) -> Void] {
            let keys = first.keys.map { key in
                var key = key
                if key.use == .signing { change(&key) }
                return key
            }
            let next = try first.next(keys, at: start + 1).signed(with: [pair(0)])
            #expect(refused([next]) == .statementKeys)
        }
    }

    @Test func `a statement without a sealing key of the suite is refused, for the device of that suite only`() throws {
        #expect(refused([statements[1]], suite: .hybrid) == .noUsableKey)
        #expect(refused([statements[1]], suite: nil) == nil)
        #expect(refusal { try KeyStatement.verified(first: statements[0], suite: .hybrid) } == .noUsableKey)
    }

    @Test func `an altered bit of a statement is refused`() throws {
        for flipped in [UInt8](hex: vector.statements[1]).bitFlips {
            guard let list = try? SignatureList(decoding: flipped) else { continue }
            #expect(refused([list]) != nil)
        }
    }

    @Test func `a key of an algorithm to come is listed and not used`() throws {
        let bytes = [UInt8](repeating: 7, count: 1_952)
        var second = try first.verified(following: [statements[1]], suite: .classic)
        let future = StatedKey(
            kid: PlatformPublicKey.keyID(of: bytes), use: .signing, algorithm: COSEAlgorithm.mlDSA65.rawValue,
            bytes: bytes, notBefore: time(0))
        second = first.next(second.keys + [future], at: vector.times[1])
        let latest = try first.verified(following: [second.signed(with: [pair(0)])], suite: .classic)
        #expect(latest.keys.count == 5)
        let message = Sign1Forgery.unknownSignature(by: PlatformPublicKey.keyID(of: bytes))
        #expect(refusal { try latest.signer(of: message) } == .wrongKey)
    }

    @Test func `a signature of an algorithm to come joins the list, is not checked, and is named`() throws {
        let list = try Sign1Forgery.adding(algorithm: .mlDSA65, to: statements[1])
        #expect(list.uncheckedAlgorithms.map(\.description) == ["ML-DSA-65"])
        #expect(try first.verified(following: [list], suite: .classic).sequence == 2)
        let alone = try Sign1Forgery.only(algorithm: .mlDSA65, of: statements[1])
        #expect(throws: WireError(.unsupportedAlgorithm)) { _ = try SignatureList(decoding: alone) }
    }

    @Test func `a device seals to the latest key in use, and to the next one when none is`() throws {
        let third = try first.verified(following: [statements[1], statements[2]], suite: .classic)
        let ids = vector.sealingKeyIDs.map { [UInt8](hex: $0) }
        let (second, last) = (vector.sealingFrom[1], vector.sealingFrom[2])
        #expect(try third.sealingKey(of: .classic, at: time(last)).kid == ids[2])
        #expect(try third.sealingKey(of: .classic, at: time(last - 1)).kid == ids[1])
        #expect(try third.sealingKey(of: .classic, at: time(second - 1)).kid == ids[1])
        // The end of a key does not matter.
        #expect(try third.sealingKey(of: .classic, at: time(last * 2)).kid == ids[2])
        #expect(refusal { try third.sealingKey(of: .hybrid, at: time(last)) } == .noUsableKey)
    }

    @Test func `keys are in use between their times, with a tolerance of a day`() throws {
        let second = try first.verified(following: [statements[1]], suite: .classic)
        let start = try #require(vector.signingPeriods[1][0])
        let day = KeyStatement.tolerance
        #expect(day == 86_400_000)
        let key = try #require(try second.keys.first { try $0.kid == pair(0).kid })
        #expect(key.isValid(at: time(start)) && !key.isValid(at: time(start + 1)))
        #expect(key.isValid(at: time(start + day), tolerance: day))
        #expect(!key.isValid(at: time(start + day + 1), tolerance: day))
        let next = try #require(try second.keys.first { try $0.kid == pair(1).kid })
        #expect(next.isValid(at: time(start)) && !next.isValid(at: time(start - 1)))
        #expect(next.isValid(at: time(start - day), tolerance: day))
        #expect(!next.isValid(at: time(start - day - 1), tolerance: day))
        #expect(refusal { try first.requireSealingKey(of: .classic, at: time(0)) } == .keyNotValid)
        #expect(refusal { try first.requireSealingKey(of: .classic, at: time(start)) } == nil)
    }
}

/// Signatures that the library can read and not make.
enum Sign1Forgery {
    static func unknownSignature(by kid: [UInt8]) -> Sign1 {
        let header = COSEHeader(algorithm: .mlDSA65, keyID: kid)
        guard let sign1 = try? Sign1(decoding: encoded(header, payload: [1], count: 64), policy: policy) else {
            preconditionFailure("a message of the right form")
        }
        return sign1
    }

    /// Returns a list with a signature of another algorithm behind the others.
    static func adding(algorithm: COSEAlgorithm, to list: SignatureList) throws -> SignatureList {
        let other = encoded(COSEHeader(algorithm: algorithm, keyID: [1]), payload: list.payload, count: 3_309)
        return try SignatureList(decoding: encoding(list.signatures.map(\.encoded) + [other]))
    }

    /// Returns the encoding of a list of one signature of another algorithm.
    static func only(algorithm: COSEAlgorithm, of list: SignatureList) throws -> [UInt8] {
        encoding([encoded(COSEHeader(algorithm: algorithm, keyID: [1]), payload: list.payload, count: 3_309)])
    }

    private static var policy: COSEPolicy {
        var policy = COSEPolicy.strict
        policy.signatures[-49] = .mlDSA65
        return policy
    }

    private static func encoding(_ members: [[UInt8]]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(members.count)
        for member in members { writer.bytes(member) }
        return writer.finish()
    }

    private static func encoded(_ header: COSEHeader, payload: [UInt8], count: Int) -> [UInt8] {
        var writer = CBORWriter()
        writer.tag(18)
        writer.array(4)
        writer.bytes(header.encoded)
        writer.map(0)
        writer.bytes(payload)
        writer.bytes([UInt8](repeating: 9, count: count))
        return writer.finish()
    }
}
