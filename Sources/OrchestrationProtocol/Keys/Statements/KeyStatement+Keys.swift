package import Primitives

// The keys of a statement that this library can use.
extension KeyStatement {
    /// The tolerance in milliseconds: an answer may be outside the validity of its signing key, and a statement outside
    /// the validity of its keys, by 24 hours.
    ///
    /// Both times are from the platform's clock, which an operator may have corrected after the keys were made.
    package static let tolerance: Int64 = 86_400_000

    /// Returns the signing key that a signature names.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongKey`` if the statement does not list it with the algorithm of the
    ///   signature.
    package func signer(of message: Sign1) throws(SecureChannelError) -> StatedKey {
        let key = keys.first { key in
            key.use == .signing && key.kid == message.header.keyID && key.algorithm == COSEAlgorithm.ed25519.rawValue
                && key.algorithm == message.header.algorithm.rawValue
        }
        guard let key else {
            throw SecureChannelError(.wrongKey, blame: .peer, "no listed key has signed the message")
        }
        return key
    }

    /// Whether the statement lists the key of every signature of a list that this library checks.
    package func listsSigners(of messages: SignatureList) -> Bool {
        messages.signatures.allSatisfy { (try? signer(of: $0)) != nil }
    }

    /// Returns the key to seal a request to: the latest key of the suite that is in use, or the next one if no key is
    /// in use yet.
    ///
    /// The end of a key does not matter here. A device that was offline seals to the latest key that it knows, and the
    /// platform decides what the key still opens.
    ///
    /// - Parameter time: The device's best estimate of the platform's time.
    /// - Throws: ``SecureChannelError/Code/noUsableKey``.
    package func sealingKey(of suite: Suite, at time: Timestamp) throws(SecureChannelError) -> PlatformPublicKey {
        let keys = sealingKeys(of: suite).sorted { $0.notBefore < $1.notBefore }
        guard let key = keys.last(where: { $0.notBefore <= time }) ?? keys.first else {
            throw SecureChannelError(.noUsableKey, blame: .peer, "a key statement has no sealing key of the suite")
        }
        return PlatformPublicKey(kid: key.kid, suite: suite, bytes: key.bytes)
    }

    /// Checks that a sealing key of a suite is in use at a time, within ``tolerance``.
    ///
    /// - Throws: ``SecureChannelError/Code/keyNotValid``.
    package func requireSealingKey(of suite: Suite, at time: Timestamp) throws(SecureChannelError) {
        guard sealingKeys(of: suite).contains(where: { $0.isValid(at: time, tolerance: Self.tolerance) }) else {
            throw SecureChannelError(
                .keyNotValid, blame: .peer, "no sealing key of the statement is in use at the time of the answer")
        }
    }

    /// Checks that the ids belong to their keys and that the suite has a sealing key.
    func requireUsable(for suite: Suite?) throws(SecureChannelError) {
        guard keys.allSatisfy({ $0.kid == PlatformPublicKey.keyID(of: $0.bytes) }) else {
            throw SecureChannelError(.wrongKey, blame: .peer, "a platform key has the id of another key")
        }
        guard let suite else { return }
        guard !sealingKeys(of: suite).isEmpty else {
            throw SecureChannelError(.noUsableKey, blame: .peer, "a key statement has no sealing key of the suite")
        }
    }

    private func sealingKeys(of suite: Suite) -> [StatedKey] {
        keys.filter { $0.use == .sealing && $0.algorithm == Int64(suite.rawValue) }
    }
}
