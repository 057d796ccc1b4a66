public import OrchestrationProtocol
public import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A move to another device that has begun. Neither printing nor reflection shows the activation password.
///
/// Show the activation password to the user, who types it at the new device.
public struct DeviceMove: Sendable, Redacted {
    private let secret: SecretBox<SecretBytes>

    /// The activation password for the new device, `XXXX-XXXX-XXXX`.
    public var activationPassword: String { secret.text }

    /// The time until which the activation password starts an activation, by the platform's clock: 10 minutes after the
    /// move began.
    public let expiresAt: Date

    /// The link that names the activation without its secret; `nil` where the platform does not know its public address.
    /// Show its text as a QR code.
    public let activationLink: ActivationLink?

    /// - Returns: `nil` for an answer without an activation password.
    init?(_ answer: MoveBeginMessage.Answer, tenant: String, account: AccountName) {
        let text = answer.activationPassword.withBytes { SecretBytes(copying: $0) }
        guard let handle = (try? ActivationPassword(parsing: text))?.handle else { return nil }
        activationLink = answer.address.flatMap {
            ActivationLink(address: $0, tenant: tenant, account: account, handle: handle)
        }
        secret = SecretBox(text)
        expiresAt = Date(timeIntervalSince1970: Double(answer.expiry.millisecondsSinceEpoch) / 1_000)
    }
}
