/// The labels of header parameters that we use (RFC 9052 §3.1), our own in the range for private use.
package enum COSELabel {
    package static let algorithm: Int64 = 1
    package static let critical: Int64 = 2
    package static let keyID: Int64 = 4

    package static let version: Int64 = -65_537
    package static let suite: Int64 = -65_538
    package static let encapsulatedKey: Int64 = -65_539
    package static let requestID: Int64 = -65_540
    package static let expiry: Int64 = -65_541
    package static let platformKeyID: Int64 = -65_542
    package static let answerRandom: Int64 = -65_543
    package static let requestHash: Int64 = -65_544

    static let known: [Int64] = [
        algorithm, keyID, version, suite, encapsulatedKey, requestID, expiry, platformKeyID, answerRandom,
        requestHash,
    ]
}
