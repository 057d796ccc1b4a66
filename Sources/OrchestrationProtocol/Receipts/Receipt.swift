public import Primitives

/// A receipt of a decision: an approval request, the signed answer of a device, and the platform's confirmation.
///
/// A receipt is evidence for a third party. It is verified offline with the platform's key statements, even years
/// later. This type contains only the bytes: ``verify(with:)`` returns the content.
///
/// The article <doc:Receipts> describes the bytes, the steps of the verification, and the limits of a receipt.
public struct Receipt: Sendable, Hashable {
    /// The maximum length of a receipt: 12,288 bytes.
    public static let maximumByteCount = FieldLimit.receipt

    /// The receipt as bytes.
    public let bytes: [UInt8]

    /// The parts, not verified.
    package let parts: ReceiptParts

    /// Creates a receipt from bytes.
    ///
    /// - Parameter bytes: At most 12,288 bytes.
    /// - Throws: ``ReceiptError`` with the code `malformed`, or `unsupportedAlgorithm` for a part without a signature
    ///   of a known algorithm.
    public init(bytes: [UInt8]) throws(ReceiptError) {
        do throws(WireError) {
            parts = try ReceiptParts(decoding: bytes)
        } catch {
            throw ReceiptError(malformed: error)
        }
        self.bytes = bytes
    }

    /// Creates a receipt from the text that the REST API returns or that a file contains.
    ///
    /// - Parameter text: Base64url without padding (RFC 4648, section 5). White space before and after it is ignored.
    /// - Throws: ``ReceiptError`` with the code `invalidText`, or the errors of ``init(bytes:)``.
    public init(text: String) throws(ReceiptError) {
        let start = text.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        let content = end.map { String(start[...$0]) } ?? ""
        let bytes: [UInt8]
        do throws(TextDecodingError) {
            bytes = try Base64URL.decode(content, limit: Self.maximumByteCount * 2)
        } catch {
            throw ReceiptError(.invalidText, underlying: error)
        }
        try self.init(bytes: bytes)
    }

    /// Creates a receipt from its parts.
    package init(_ parts: ReceiptParts) {
        self.parts = parts
        bytes = parts.encoded
    }

    /// The receipt as base64url without padding.
    public var text: String { Base64URL.encode(bytes) }
}

// A receipt names a user and contains what the user was shown.
extension Receipt: Redacted {
    /// The length, without the content.
    public var description: String { "Receipt(\(bytes.count) bytes)" }
}

extension ReceiptError {
    /// Creates the error for bytes that cannot be decoded.
    init(malformed error: WireError, fileID: String = #fileID, line: Int = #line) {
        self.init(
            error.code == .unsupportedAlgorithm ? .unsupportedAlgorithm : .malformed, underlying: error, fileID: fileID,
            line: line)
    }
}
