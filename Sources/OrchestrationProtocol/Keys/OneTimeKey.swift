package import Crypto
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A key of A256GCM with its nonce, for one message.
///
/// Both come from one derivation, so the nonce is not sent, and it is unique because the key is. The owner of a key
/// seals only one plaintext.
package struct OneTimeKey: Sendable {
    /// The length of key and nonce in bytes.
    package static let byteCount = 32 + 12

    private let key: SymmetricKey
    private let nonce: AES.GCM.Nonce

    /// Creates a key from derived bytes.
    ///
    /// - Parameter material: ``byteCount`` bytes.
    package init(_ material: SymmetricKey) {
        precondition(material.byteCount == Self.byteCount, "a key and a nonce")
        key = material[0..<32]
        nonce = material.withSpan { span in
            unsafe span.withUnsafeBytes { bytes in
                guard let nonce = unsafe try? AES.GCM.Nonce(data: bytes[32..<44]) else {
                    preconditionFailure("init: twelve bytes make a nonce")
                }
                return nonce
            }
        }
    }

    /// Seals a plaintext; the header is authenticated with it.
    package func seal(_ plaintext: [UInt8], header: COSEHeader) throws(SecureChannelError) -> Encrypt0 {
        try sealed(plaintext, header: header) { Encrypt0(header: header, ciphertext: $0) }
    }

    /// Seals a plaintext into a command; the header is authenticated with it.
    package func command(
        sealing plaintext: [UInt8], header: COSEHeader
    ) throws(SecureChannelError) -> OrchestrationCommand {
        try sealed(plaintext, header: header) { Encrypt0.command(header: header, ciphertext: $0) }
    }

    @inline(__always)
    private func sealed<Message>(
        _ plaintext: [UInt8], header: COSEHeader, _ message: (Span<UInt8>) -> Message
    ) throws(SecureChannelError) -> Message {
        do {
            let box = unsafe try plaintext.withUnsafeBytes { plaintext in
                unsafe try header.withAdditionalData { data in
                    unsafe try AES.GCM.seal(
                        ContiguousMemory(plaintext), using: key, nonce: nonce, authenticating: ContiguousMemory(data))
                }
            }
            // The box is nonce ‖ ciphertext ‖ tag in one piece. The message is copied from it.
            guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
            return message(combined.span.extracting(droppingFirst: 12))
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "a message could not be sealed", underlying: error)
        }
    }

    /// Opens a message and authenticates its header.
    ///
    /// - Throws: ``SecureChannelError/Code/notAuthentic`` if a bit of the message or header is wrong.
    package func open(_ message: Encrypt0) throws(SecureChannelError) -> [UInt8] {
        do {
            // One piece, because a box that is created from its parts copies each of them twice.
            var combined = unsafe nonce.withUnsafeBytes { unsafe Data($0) }
            combined.reserveCapacity(combined.count + message.sealed.count)
            combined.append(contentsOf: message.sealed)
            let box = try AES.GCM.SealedBox(combined: combined)
            var plaintext = unsafe try message.header.withAdditionalData { data in
                unsafe try AES.GCM.open(box, using: key, authenticating: ContiguousMemory(data))
            }
            defer { plaintext.resetBytes(in: plaintext.startIndex..<plaintext.endIndex) }
            return [UInt8](plaintext)
        } catch {
            throw SecureChannelError(.notAuthentic, blame: .peer, "a sealed message is not authentic")
        }
    }
}

/// The random value in the header of a sealed message, which salts the key of the message.
enum HedgedRandom {
    /// Returns a value of 32 bytes: the HMAC-SHA-256 of 32 fresh random bytes and the plaintext.
    ///
    /// The plaintext is an input because a virtual machine that is resumed twice from one snapshot may draw the same
    /// random bytes twice. Two plaintexts still have two values, and therefore two keys.
    ///
    /// - Parameter key: A key for this purpose only. Without it, a guess at the plaintext cannot be compared with the
    ///   value.
    static func bytes(for plaintext: [UInt8], key: SymmetricKey, random: any RandomSource) -> [UInt8] {
        let fresh = random.secret(FieldSize.random)
        var code = HMAC<SHA256>(key: key)
        fresh.withBytes { span in unsafe span.withUnsafeBytes { unsafe code.update(data: $0) } }
        code.update(data: plaintext)
        return code.finalize().withSpan { [UInt8]($0) }
    }
}

extension COSEHeader {
    /// Lends the associated data of the cipher. For most headers, the data is on the stack.
    @inline(__always)
    fileprivate func withAdditionalData<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        guard encoded.count <= 512 - 32 else {
            return unsafe try Encrypt0.additionalData(header: self, externalAAD: []).withUnsafeBytes(body)
        }
        return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { memory in
            var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
            try Encrypt0.appendAdditionalData(header: self, to: &output)
            let count = unsafe output.finalize(for: memory)
            return unsafe try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<count]))
        }
    }
}
