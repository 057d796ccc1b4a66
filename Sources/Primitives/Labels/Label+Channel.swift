// The channel, and what an instance's secret is used for behind it.
extension Label {
    /// Begins the `info` of the channel's HPKE context.
    package static let channel = Label("swift-orchestration/1 request")
    /// HPKE context → the secret of a request; that → its key and nonce.
    package static let request = Label("request")
    /// HPKE context → the secret of an answer; that → its key and nonce. Under a proof key, which comes from elsewhere:
    /// what a proof covers before the signed message.
    package static let answer = Label("answer")
    /// State of the key ratchet → the next state, before its index.
    package static let ratchet = Label("chain")
    /// Instance's secret and ratchet state → the key of a proof.
    package static let proofKey = Label("swift-orchestration/1 proof key")
    /// Instance's secret and ratchet state → the key of the codes of one crypto application.
    package static let codeKey = Label("swift-orchestration/1 code key")
    /// Other instance's secret and ratchet state → the key of the platform's codes for one crypto application.
    package static let hostCodeKey = Label("swift-orchestration/1 host code key")
}

extension Label {
    static let sealedChannel: [Label] = [channel, request, answer]
    static let instances: [Label] = [ratchet, proofKey, codeKey, hostCodeKey]
}
