internal import Primitives
internal import Wire

/// Between whom an activation takes place, as both sides must spell it.
struct ActivationContext: Sendable {
    let account: AccountName

    /// 1 to 64 bytes of ASCII.
    let tenant: String

    /// CI of the exchange: CBOR `[protocol, "authenticator", account, "platform", tenant]`.
    var channelIdentifier: [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.text("swift-orchestration/1")
        writer.text("authenticator")
        writer.text(account.text)
        writer.text("platform")
        writer.text(tenant)
        return writer.finish()
    }

    /// What the secrets of an activation depend on besides the exchange: CBOR `[clientRandom, platformRandom, deviceID,
    /// tenant, account]`.
    func provisioning(clientRandom: [UInt8], platformRandom: [UInt8], deviceID: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(5)
        writer.bytes(clientRandom)
        writer.bytes(platformRandom)
        writer.bytes(deviceID)
        writer.text(tenant)
        writer.text(account.text)
        return writer.finish()
    }
}
