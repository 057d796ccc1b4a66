internal import Crypto
package import Primitives
internal import Wire

// The stored form. It is not CBOR, because a decoder of ours would copy the keys into memory that nobody wipes:
// version, suite, session id, tag, two keys and the provisioning secret at fixed places, then tenant and account, each
// behind its length in one byte.
extension ActivationResponderState {
    private static let version: UInt8 = 1

    private static let fixedByteCount =
        2 + FieldSize.identifier + ActivationKeys.tagByteCount + 2 * OneTimeKey.byteCount
        + ActivationKeys.provisioningByteCount

    /// The state as bytes, to be sealed by the platform before it is stored. Lives 120 s at most.
    package func encoded() -> SecretBytes {
        let tenant = Array(context.tenant.utf8)
        let account = Array(context.account.text.utf8)
        // Both have been checked where they came from: 64 and 193 bytes at most.
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
    /// - Throws: ``SecureChannelError/Code/malformed`` for anything that ``encoded()`` would not give.
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
            let keyRequest = OneTimeKey(key(OneTimeKey.byteCount))
            let keyAnswer = OneTimeKey(key(OneTimeKey.byteCount))
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
            throw SecureChannelError(.malformed, blame: .environment, "a stored activation is not of the agreed form")
        }
        self = state
    }
}
