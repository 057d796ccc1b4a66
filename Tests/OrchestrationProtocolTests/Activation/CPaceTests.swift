import Crypto
import Foundation
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

/// The vectors of draft-irtf-cfrg-cpace-20, appendix B.1.
@Suite struct CPaceTests {
    struct File: Decodable {
        let exchange: Exchange
        let points: [String: String]

        enum CodingKeys: String, CodingKey {
            case exchange = "G_25519"
            case points = "X25519_points"
        }
    }

    struct Exchange: Decodable {
        let password, channelIdentifier, sessionID, generator: String
        let scalarA, dataA, shareA, scalarB, dataB, shareB, secret, key, symmetricKey: String

        enum CodingKeys: String, CodingKey {
            case password = "PRS"
            case channelIdentifier = "CI"
            case sessionID = "sid"
            case generator = "g"
            case scalarA = "ya"
            case dataA = "ADa"
            case shareA = "Ya"
            case scalarB = "yb"
            case dataB = "ADb"
            case shareB = "Yb"
            case secret = "K"
            case key = "ISK_IR"
            case symmetricKey = "ISK_SY"
        }
    }

    let vectors: File

    init() throws { vectors = try Vectors.decode(File.self, "cpace/cpace_testvectors.json") }

    private func party(
        _ role: CPaceParty.Role, password: [UInt8]? = nil, identifier: [UInt8]? = nil, sessionID: [UInt8]? = nil,
        data: [UInt8]? = nil
    ) throws -> CPaceParty {
        let exchange = vectors.exchange
        let (scalar, ownData) =
            role == .initiator ? (exchange.scalarA, exchange.dataA) : (exchange.scalarB, exchange.dataB)
        return try CPaceParty(
            role, password: SecretBytes(copying: password ?? .init(hex: exchange.password)),
            channelIdentifier: identifier ?? .init(hex: exchange.channelIdentifier),
            sessionID: sessionID ?? .init(hex: exchange.sessionID), associatedData: data ?? .init(hex: ownData),
            scalar: SecretBytes(copying: [UInt8](hex: scalar)))
    }

    private func key(_ key: SymmetricKey) -> [UInt8] { key.withSpan { [UInt8]($0) } }

    @Test func `the generator equals the draft's`() {
        let exchange = vectors.exchange
        let generator = CPaceGenerator.make(
            password: SecretBytes(copying: [UInt8](hex: exchange.password)),
            channelIdentifier: .init(hex: exchange.channelIdentifier), sessionID: .init(hex: exchange.sessionID))
        #expect(generator.revealed == [UInt8](hex: exchange.generator))
    }

    @Test func `both sides derive the draft's shares, secret and key`() throws {
        let exchange = vectors.exchange
        let a = try party(.initiator)
        let b = try party(.responder)
        let (shareA, shareB) = (a.share, b.share)
        #expect(shareA == [UInt8](hex: exchange.shareA))
        #expect(shareB == [UInt8](hex: exchange.shareB))
        let scalar = try X25519.privateKey(SecretBytes(copying: [UInt8](hex: exchange.scalarA)))
        let secret = try X25519.agree(scalar, with: shareB.span)
        #expect(secret.withSpan { [UInt8]($0) } == [UInt8](hex: exchange.secret))
        let keyA = try a.finish(peerShare: shareB, peerAssociatedData: [UInt8](hex: exchange.dataB))
        let keyB = try b.finish(peerShare: shareA, peerAssociatedData: [UInt8](hex: exchange.dataA))
        #expect(key(keyA) == [UInt8](hex: exchange.key))
        #expect(key(keyB) == [UInt8](hex: exchange.key))
        #expect(key(keyA) != [UInt8](hex: exchange.symmetricKey))
    }

    @Test func `a difference in any input gives another key`() throws {
        let exchange = vectors.exchange
        let shareB = [UInt8](hex: exchange.shareB)
        let dataB = [UInt8](hex: exchange.dataB)
        let right = [UInt8](hex: exchange.key)
        var keys = [right]
        let session = [UInt8](hex: exchange.sessionID)
        let identifier = [UInt8](hex: exchange.channelIdentifier)
        keys.append(key(try party(.initiator, password: [0x70]).finish(peerShare: shareB, peerAssociatedData: dataB)))
        keys.append(
            key(
                try party(.initiator, identifier: identifier + [0]).finish(
                    peerShare: shareB, peerAssociatedData: dataB)))
        keys.append(
            key(
                try party(.initiator, sessionID: session.dropLast() + [0]).finish(
                    peerShare: shareB, peerAssociatedData: dataB)))
        keys.append(key(try party(.initiator, data: []).finish(peerShare: shareB, peerAssociatedData: dataB)))
        keys.append(key(try party(.initiator).finish(peerShare: shareB, peerAssociatedData: dataB + [0])))
        #expect(Set(keys).count == keys.count)
    }

    @Test func `every flipped bit of a share gives another key, except for the bit that X25519 ignores`() throws {
        let exchange = vectors.exchange
        let dataB = [UInt8](hex: exchange.dataB)
        var keys: Set<[UInt8]> = [[UInt8](hex: exchange.key)]
        for flipped in [UInt8](hex: exchange.shareB).bitFlips {
            keys.insert(key(try party(.initiator).finish(peerShare: flipped, peerAssociatedData: dataB)))
        }
        // Bit 255 leaves K as it is, but the transcript holds the bytes as received.
        #expect(keys.count == 257)
    }

    @Test func `a share sent back to its sender does not give the key`() throws {
        let a = try party(.initiator)
        let share = a.share
        let reflected = try a.finish(peerShare: share, peerAssociatedData: [UInt8](hex: vectors.exchange.dataA))
        #expect(key(reflected) != [UInt8](hex: vectors.exchange.key))
    }

    @Test func `the draft's points of low order are refused`() throws {
        // Twelve encodings; on Curve25519 and its twist with the highest bit ignored, Y6 and Y8 to Y11 are
        // points of full order by RFC 7748: those are the draft's own examples for implementations that keep the bit.
        let lowOrder = [
            "Invalid Y0", "Invalid Y1", "Invalid Y2", "Invalid Y3", "Invalid Y4", "Invalid Y5", "Invalid Y7",
        ]
        for name in lowOrder {
            let point = [UInt8](hex: try #require(vectors.points[name]))
            #expect(throws: SecureChannelError(.lowOrderPoint, blame: .peer, "")) {
                _ = try party(.initiator).finish(peerShare: point, peerAssociatedData: [])
            }
            #expect(throws: SecureChannelError(.lowOrderPoint, blame: .peer, "")) { try X25519.refuseLowOrder(point) }
        }
        for name in Set(vectors.points.keys).subtracting(lowOrder) {
            let point = [UInt8](hex: try #require(vectors.points[name]))
            #expect(throws: Never.self) { try X25519.refuseLowOrder(point) }
        }
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func `a share of another length is refused`(count: Int) throws {
        let share = [UInt8](repeating: 9, count: count)
        #expect(throws: SecureChannelError(.malformed, blame: .peer, "")) {
            _ = try party(.responder).finish(peerShare: share, peerAssociatedData: [])
        }
    }

    @Test(arguments: [0, 31, 33]) func `a scalar of another length is refused`(count: Int) {
        #expect(throws: SecureChannelError(.malformed, blame: .bug, "")) {
            _ = try X25519.privateKey(SecretBytes(copying: [UInt8](repeating: 1, count: count)))
        }
    }

    @Test func `lengths go before strings as LEB128`() {
        #expect(LengthValue.prefix(0) == [0x00])
        #expect(LengthValue.prefix(127) == [0x7F])
        #expect(LengthValue.prefix(128) == [0x80, 0x01])
        #expect(LengthValue.prefix(300) == [0xAC, 0x02])
        #expect(LengthValue.prefix(65_536) == [0x80, 0x80, 0x04])
        #expect(LengthValue.concatenate(Array("1234".utf8), Array("5".utf8), [], Array("678".utf8)).count == 12)
        #expect(LengthValue.concatenate([1], [2, 3]) == [1, 1, 2, 2, 3])
    }
}
