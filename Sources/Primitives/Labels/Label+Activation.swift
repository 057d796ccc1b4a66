// The exchange of an activation. PRK below is what its key schedule starts from.
extension Label {
    /// Salts the extraction of PRK, before the session id.
    package static let activation = Label("swift-orchestration/1 activation")
    /// PRK → the tag by which the platform shows that it knows the code.
    package static let platformTag = Label("swift-orchestration/1 platform tag")
    /// PRK → the tag by which the authenticator shows it.
    package static let authenticatorTag = Label("swift-orchestration/1 authenticator tag")
    /// PRK → key and nonce of the sealed device registration in request 2.
    package static let keyRequest = Label("swift-orchestration/1 key request")
    /// PRK → key and nonce of the sealed provisioning in answer 2.
    package static let keyAnswer = Label("swift-orchestration/1 key answer")
    /// PRK → the secret that the next four come from.
    package static let provisioning = Label("swift-orchestration/1 provisioning")
    /// Provisioning secret → K₁, the secret of the password's instance.
    package static let passwordInstance = Label("swift-orchestration/1 password instance")
    /// Provisioning secret → K₂n, the secret of the other instance.
    package static let otherInstance = Label("swift-orchestration/1 other instance")
    /// Provisioning secret → D₀, where the key ratchet starts.
    package static let ratchetStart = Label("swift-orchestration/1 chain start")
    /// Provisioning secret → the secret that device and platform share on the channel.
    package static let presharedKey = Label("swift-orchestration/1 preshared key")
}

extension Label {
    static let activationExchange: [Label] = [
        activation, platformTag, authenticatorTag, keyRequest, keyAnswer, provisioning, passwordInstance, otherInstance,
        ratchetStart, presharedKey,
    ]
}
