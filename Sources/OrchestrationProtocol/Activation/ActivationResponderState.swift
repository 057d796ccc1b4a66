internal import Crypto
package import Primitives

/// The state of the platform between the two steps of an exchange.
///
/// It contains derived keys, but not the scalar, ISK, PRK or the activation password.
package struct ActivationResponderState: Sendable {
    /// The suite that the platform chose.
    package let suite: Suite

    package let sessionID: [UInt8]

    let context: ActivationContext
    let authenticatorTag: SymmetricKey
    let keyRequest: ActivationMessageSecret
    let keyAnswer: ActivationMessageSecret
    let provisioning: SymmetricKey

    /// Opens request 2.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongActivationPassword`` if the tag differs, which means that the
    ///   authenticator does not know the activation password; the comparison takes constant time.
    ///   ``SecureChannelError/Code/wrongSession``, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/malformed``.
    package func open(_ request: ActivationKeyRequest) throws(SecureChannelError) -> DeviceRegistration {
        guard request.sessionID == sessionID else {
            throw SecureChannelError(.wrongSession, blame: .peer, "the request belongs to another activation")
        }
        guard authenticatorTag.matches(request.tag) else {
            throw SecureChannelError(
                .wrongActivationPassword, blame: .peer,
                "the authenticator's tag is wrong: it does not know the activation password")
        }
        let registration = try DeviceRegistration(
            opened: keyRequest.key(random: request.random).open(request.sealed))
        // A key that is not a point of the curve verifies nothing. It is refused before it is stored.
        do {
            _ = try P256.Signing.PublicKey(compressedRepresentation: registration.deviceKey)
        } catch {
            throw SecureChannelError(
                .malformed, blame: .peer, "a device key is not a point of P-256", underlying: error)
        }
        return registration
    }

    /// Returns answer 2. An answer that is sealed twice has two keys. The caller still stores an answer that was sent,
    /// because a second answer would create a second device.
    ///
    /// - Parameter random: The source of 32 bytes that the key depends on.
    package func seal(
        _ answer: Provisioning, random: any RandomSource
    ) throws(SecureChannelError) -> OrchestrationCommand {
        let plaintext = answer.encoded
        let random = keyAnswer.random(for: plaintext, random: random)
        let sealed = try keyAnswer.key(random: random).seal(
            plaintext, header: ActivationKeyAnswer.header(random: random))
        return ActivationKeyAnswer(sessionID: sessionID, random: random, ciphertext: sealed.ciphertext).command
    }

    /// Returns the secrets of the device.
    package func secrets(registration: DeviceRegistration, provisioning answer: Provisioning) -> ActivationSecrets {
        ActivationSecrets(provisioning: provisioning, context: context, registration: registration, answer: answer)
    }
}

// The stored form: version, suite, session id, tag, the secrets of request 2 and answer 2 and the provisioning secret
// at fixed offsets, then tenant and account, each after its length in one byte. It is not CBOR, because the
// decoder would copy the keys into memory that is not wiped.
extension ActivationResponderState {
    private static let version: UInt8 = 1

    private static let fixedByteCount =
        2 + FieldSize.identifier + ActivationKeys.tagByteCount + 2 * ActivationMessageSecret.byteCount
        + ActivationKeys.provisioningByteCount

    /// Returns the state as bytes. The platform seals them, and stores them for at most 120 seconds.
    package func encoded() -> SecretBytes {
        let tenant = Array(context.tenant.utf8)
        let account = Array(context.account.text.utf8)
        // The request has limited both: to 64 and 193 bytes.
        let names = [UInt8(tenant.count)] + tenant + [UInt8(account.count)] + account
        return SecretBytes(count: Self.fixedByteCount + names.count) { bytes in
            var position = 0
            func append(_ part: Span<UInt8>) {
                for index in part.indices { bytes[position + index] = part[index] }
                position += part.count
            }
            append([Self.version, suite.rawValue].span)
            append(sessionID.span)
            for key in [authenticatorTag, keyRequest.material, keyAnswer.material, provisioning] {
                key.withSpan { append($0) }
            }
            append(names.span)
        }
    }

    /// Reads a stored state.
    ///
    /// - Throws: ``SecureChannelError/Code/malformed`` for bytes that ``encoded()`` does not return.
    package init(decoding bytes: borrowing SecretBytes) throws(SecureChannelError) {
        let state: ActivationResponderState? = bytes.withBytes { span in
            guard span.count > Self.fixedByteCount, span[0] == Self.version, let suite = Suite(rawValue: span[1]) else {
                return nil
            }
            var position = 2
            func take(_ count: Int) -> Span<UInt8>.Index { position += count; return position - count }
            func key(_ count: Int) -> SymmetricKey {
                let start = take(count)
                return SymmetricKey(copying: span.extracting(start..<start + count))
            }
            let sessionStart = take(FieldSize.identifier)
            let sessionID = [UInt8](span.extracting(sessionStart..<position))
            let tag = key(ActivationKeys.tagByteCount)
            let keyRequest = ActivationMessageSecret.request(key(ActivationMessageSecret.byteCount))
            let keyAnswer = ActivationMessageSecret.answer(key(ActivationMessageSecret.byteCount))
            let provisioning = key(ActivationKeys.provisioningByteCount)
            func name() -> String? {
                guard position < span.count else { return nil }
                let count = Int(span[take(1)])
                guard count <= span.count - position else { return nil }
                let start = take(count)
                return String(validating: [UInt8](span.extracting(start..<position)), as: UTF8.self)
            }
            guard
                let tenant = name(), let account = name(), position == span.count,
                let accountName = try? AccountName(text: account, defaultDomain: ""), accountName.text == account
            else { return nil }
            return ActivationResponderState(
                suite: suite, sessionID: sessionID, context: ActivationContext(account: accountName, tenant: tenant),
                authenticatorTag: tag, keyRequest: keyRequest, keyAnswer: keyAnswer, provisioning: provisioning)
        }
        guard let state else {
            throw SecureChannelError(.malformed, blame: .environment, "a stored activation is damaged")
        }
        self = state
    }
}
