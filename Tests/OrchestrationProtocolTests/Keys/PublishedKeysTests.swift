import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// Signatures by each key of the published statements, as those of receipts will be.
@Suite struct PublishedKeysTests {
    private let vector: KeyStatementTests.Vector
    private let statements: [SignatureList]
    private let keys: PublishedKeys
    private let aad = KeyStatement.externalAAD

    init() throws {
        vector = try Vectors.decode(KeyStatementTests.Vector.self, "protocol/statements.json")
        statements = try vector.statements.map { try SignatureList(decoding: [UInt8](hex: $0)) }
        keys = try PublishedKeys(statements: statements, fingerprint: [UInt8](hex: vector.fingerprints[3]))
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func pair(_ number: Int) throws -> SigningKeyPair {
        try SigningKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](hex: vector.signingSeeds[number])))
    }

    /// Signs something with one of the keys: a key statement, instead of the receipt of a later version.
    private func signed(_ number: Int) throws -> SignatureList {
        try KeyStatement.first([]).signed(with: [pair(number)])
    }

    @Test(arguments: 0..<4) func `a signature verifies within the validity of its key and fails outside`(number: Int)
        throws
    {
        let signatures = try signed(number)
        let start = try #require(vector.signingPeriods[number][0])
        let end = vector.signingPeriods[number][1]
        let day = KeyStatement.tolerance
        #expect(try keys.verify(signatures, externalAAD: aad, at: time(start - day)) == [])
        #expect(try keys.verify(signatures, externalAAD: aad, at: time(end.map { $0 + day } ?? start * 2)) == [])
        #expect(refusal { try keys.verify(signatures, externalAAD: aad, at: time(start - day - 1)) } == .keyNotValid)
        if let end {
            #expect(refusal { try keys.verify(signatures, externalAAD: aad, at: time(end + day + 1)) } == .keyNotValid)
        }
        #expect(refusal { try keys.verify(signatures, externalAAD: [], at: time(start)) } == .notAuthentic)
    }

    @Test func `a signature of an algorithm to come is named and not checked`() throws {
        let list = try Sign1Forgery.adding(algorithm: .mlDSA65, to: signed(3))
        let start = try #require(vector.signingPeriods[3][0])
        #expect(try keys.verify(list, externalAAD: aad, at: time(start)) == [.mlDSA65])
    }

    @Test func `a key that no statement lists is refused, and so is a device key`() throws {
        let stranger = try SigningKeyPair(privateRepresentation: SeededRandom(9).secret(32))
        let start = try #require(vector.signingPeriods[0][0])
        let signatures = try KeyStatement.first([]).signed(with: [stranger])
        #expect(refusal { try keys.verify(signatures, externalAAD: aad, at: time(start)) } == .wrongKey)
        let kid = try #require(signed(0).signatures[0].header.keyID)
        let device = try Sign1.signing([1], header: COSEHeader(algorithm: .esp256, keyID: kid), externalAAD: aad) {
            (_: [UInt8]) in [UInt8](repeating: 1, count: 64)
        }
        let forged = try SignatureList([device])
        #expect(refusal { try keys.verify(forged, externalAAD: aad, at: time(start)) } == .wrongKey)
    }

    @Test func `statements that are incomplete or of another platform are refused`() throws {
        let fingerprint = [UInt8](hex: vector.fingerprints[0])
        func code(_ list: [SignatureList], _ fingerprint: [UInt8]) -> SecureChannelError.Code? {
            refusal { try PublishedKeys(statements: list, fingerprint: fingerprint) }
        }
        #expect(code([], fingerprint) == .statementGap)
        #expect(code(Array(statements.dropFirst()), fingerprint) == .statementGap)
        #expect(code([statements[0], statements[2]], fingerprint) == .statementGap)
        #expect(code(statements, [UInt8](repeating: 0, count: 32)) == .wrongKey)
        for each in vector.fingerprints { #expect(code(statements, [UInt8](hex: each)) == nil) }
        // The list ends before the statement that the operator confirmed.
        #expect(code(Array(statements.dropLast()), [UInt8](hex: vector.fingerprints[3])) == .wrongKey)
    }

    @Test func `a recent fingerprint detects the fork of a stolen key that has been replaced, and an old one does not`()
        throws
    {
        let first = try KeyStatement.verified(first: statements[0], suite: nil)
        let thief = try SigningKeyPair(privateRepresentation: SeededRandom(9).secret(32))
        let end = try #require(vector.signingPeriods[0][1])
        // Signed with the key of statement 1, dated before its end.
        let fork = try first.next(first.keys + [StatedKey(thief, from: end - 1)], at: end - 1).signed(with: [pair(0)])
        func code(_ fingerprint: String) -> SecureChannelError.Code? {
            refusal { try PublishedKeys(statements: [statements[0], fork], fingerprint: [UInt8](hex: fingerprint)) }
        }
        #expect(code(vector.fingerprints[1]) == .wrongKey)
        #expect(code(vector.fingerprints[0]) == nil)
        // A device that has followed the rotation knows statement 2.
        let second = try first.verified(following: [statements[1]], suite: nil)
        #expect(refusal { try second.verified(following: [fork], suite: nil) } == .statementRollback)
        // After its end, the key signs no successor of statement 2, which still lists it.
        let late = try second.next(second.keys, at: end + 1).signed(with: [pair(0)])
        #expect(refusal { try second.verified(following: [late], suite: nil) } == .keyNotValid)
    }

    @Test func `a key that is left out and listed again keeps its end`() throws {
        let start = vector.times[0]
        let old = try StatedKey(pair(0), from: start, until: start + 10)
        let new = try StatedKey(pair(1), from: start)
        let first = KeyStatement.first([old, new], at: start)
        let second = first.next([new], at: start + 1)
        func code(_ again: StatedKey) throws -> SecureChannelError.Code? {
            let third = second.next([again, new], at: start + 2)
            let list = try [first, second, third].map { try $0.signed(with: [pair(1)]) }
            return refusal { try PublishedKeys(statements: list, fingerprint: first.fingerprint) }
        }
        #expect(try code(old) == nil)
        #expect(try code(StatedKey(pair(0), from: start)) == .statementKeys)
        #expect(try code(StatedKey(pair(0), from: start, until: start + 11)) == .statementKeys)
    }
}
