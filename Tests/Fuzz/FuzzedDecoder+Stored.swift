import Crypto
import Orchestration
import OrchestrationProtocol
import Primitives
import TrustedIdentity

extension FuzzedDecoder {
    /// The formats in the store of a device, and what the policy keeps in that of a platform. A hash at the end is
    /// added here, because it would refuse every change.
    static let stored: [FuzzedDecoder] = [
        stored("sealedRecord") { bytes in
            guard (try? SealedRecord(decoding: bytes + SHA256.hash(data: bytes))) != nil else { return nil }
            return try? CBORValue(decoding: bytes, limits: CBORLimits(bytes: maximumStoredBytes)).encoded
        },
        stored("userRecord") { try? UserRecord(decoding: $0, allowedCosts: ScryptCost.released).encoded },
        stored("keyHandle") { try? SoftwareKeyHandle(decoding: $0).encoded },
        stored("keyFile") { try? KeyFile.decode($0 + SHA256.hash(data: $0)) },
        stored("failedAttempts") { FailedAttemptRecord($0)?.encoded },
        stored("riskState") { try? RiskState(decoding: $0).encoded },
        stored("decisionRecord") { try? DecisionRecord(decoding: $0).encoded },
    ]

    /// Creates the decoder of a stored form.
    ///
    /// - Parameter reencode: Decodes the bytes and encodes the result; `nil` when the bytes are refused.
    private static func stored(_ name: String, _ reencode: @escaping @Sendable ([UInt8]) -> [UInt8]?) -> FuzzedDecoder {
        FuzzedDecoder(name: "stored-\(name)") { bytes in
            guard let again = reencode(bytes) else { return false }
            promise(again == bytes, "a stored value has one form")
            return true
        }
    }
}
