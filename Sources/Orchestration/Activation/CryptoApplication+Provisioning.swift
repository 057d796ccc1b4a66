internal import Wire

extension CryptoApplication {
    /// An application as it was issued; `nil` when it is outside this SDK's limits.
    init?(_ issued: Provisioning.Application) {
        let kind: Kind =
            switch issued.kind {
            case .totp: .timeBased
            case .hotp: .counterBased
            case .challenge: .challenge
            case .signature: .signature
            }
        self.init(
            index: issued.index, kind: kind, digits: issued.digits, period: issued.period,
            hasHostCode: issued.hostCode)
    }
}
