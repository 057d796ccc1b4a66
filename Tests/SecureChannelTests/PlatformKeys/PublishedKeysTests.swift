import Primitives
import SecureChannel
import TestSupport
import Testing
import Wire

/// Signatures by each key of the published statements, as those of receipts will be.
@Suite struct PublishedKeysTests {
    private let vector: KeyStatementTests.Vector
    private let statements: [SignatureList]
    private let keys: PublishedKeys
    private let aad = Array("swift-orchestration/1 receipt".utf8)

    init() throws {
        vector = try Vectors.decode(KeyStatementTests.Vector.self, "protocol/statements.json")
        statements = try vector.statements.map { try SignatureList(decoding: [UInt8](hex: $0)) }
        keys = try PublishedKeys(statements: statements, fingerprint: [UInt8](hex: vector.fingerprint))
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    /// Signs bytes as a receipt is signed, with one of the keys.
    private func signed(_ number: Int, _ payload: [UInt8] = [1, 2, 3]) throws -> SignatureList {
        let pair = try SigningKeyPair(
            privateRepresentation: SecretBytes(copying: [UInt8](hex: vector.signingSeeds[number])))
        return try pair.signed(payload, externalAAD: aad)
    }

    @Test(arguments: 0..<4) func `a signature verifies within the validity of its key and fails outside`(number: Int)
        throws
    {
        let signatures = try signed(number)
        let start = try #require(vector.signingPeriods[number][0])
        let end = vector.signingPeriods[number][1]
        #expect(try keys.verify(signatures, externalAAD: aad, at: time(start)) == [])
        #expect(try keys.verify(signatures, externalAAD: aad, at: time(end ?? start * 2)) == [])
        #expect(refusal { try keys.verify(signatures, externalAAD: aad, at: time(start - 1)) } == .keyNotValid)
        if let end {
            #expect(refusal { try keys.verify(signatures, externalAAD: aad, at: time(end + 1)) } == .keyNotValid)
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
        let signatures = try stranger.signed([1], externalAAD: aad)
        #expect(refusal { try keys.verify(signatures, externalAAD: aad, at: time(start)) } == .wrongKey)
        let kid = try #require(signed(0).signatures[0].header.keyID)
        let device = try Sign1.signing([1], header: COSEHeader(algorithm: .esp256, keyID: kid), externalAAD: aad) {
            (_: [UInt8]) in [UInt8](repeating: 1, count: 64)
        }
        let forged = try SignatureList([device])
        #expect(refusal { try keys.verify(forged, externalAAD: aad, at: time(start)) } == .wrongKey)
    }

    @Test func `statements that are incomplete or of another platform are refused`() throws {
        let fingerprint = [UInt8](hex: vector.fingerprint)
        func code(_ list: [SignatureList], _ fingerprint: [UInt8]) -> SecureChannelError.Code? {
            refusal { try PublishedKeys(statements: list, fingerprint: fingerprint) }
        }
        #expect(code([], fingerprint) == .statementGap)
        #expect(code(Array(statements.dropFirst()), fingerprint) == .statementGap)
        #expect(code([statements[0], statements[2]], fingerprint) == .statementGap)
        #expect(code(statements, [UInt8](repeating: 0, count: 32)) == .wrongKey)
        #expect(code(statements, fingerprint) == nil)
    }
}
