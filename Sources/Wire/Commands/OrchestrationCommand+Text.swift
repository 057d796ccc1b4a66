internal import Primitives

extension OrchestrationCommand {
    /// The command as base64url without padding (RFC 4648, section 5): for transports, JSON and pushes.
    public var text: String { Base64URL.encode(bytes) }

    /// The command as Base45 (RFC 9285), which a QR code holds in its alphanumeric mode.
    public var qrText: String { Base45.encode(bytes) }

    /// Takes a command as base64url without padding, or as hexadecimal digits of either case.
    ///
    /// - Parameter text: what ``text`` gave, or hex. The two cannot be confused: a command starts with an array or a COSE
    ///   tag, in hex with 8, 9 or D, and no base64url of such a byte starts with one of these.
    /// - Throws: ``WireError`` with the code `invalidText` when it is neither, or as ``init(bytes:)`` does.
    public init(text: String) throws(WireError) {
        try Self.check(length: text.utf8.count)
        let isHex = text.utf8.first.map { "89dD".utf8.contains($0) } ?? false
        let bytes: [UInt8]
        do throws(TextDecodingError) {
            bytes = try isHex ? Hex.decode(text, limit: Self.textLimit) : Base64URL.decode(text, limit: Self.textLimit)
        } catch {
            throw WireError(.invalidText, offset: error.position)
        }
        try self.init(bytes: bytes)
    }

    /// Takes a command from a QR code.
    ///
    /// - Parameter qrText: what ``qrText`` gave.
    /// - Throws: ``WireError`` with the code `invalidText` when it is no Base45, or as ``init(bytes:)`` does.
    public init(qrText: String) throws(WireError) {
        try Self.check(length: qrText.utf8.count)
        let bytes: [UInt8]
        do throws(TextDecodingError) {
            bytes = try Base45.decode(qrText, limit: Self.textLimit)
        } catch {
            throw WireError(.invalidText, offset: error.position)
        }
        try self.init(bytes: bytes)
    }

    /// No form takes more than two characters a byte; what is longer is not decoded at all.
    private static let textLimit = maximumByteCount * 2

    private static func check(length: Int) throws(WireError) {
        guard length > 0 else { throw WireError(.empty) }
        guard length <= textLimit else { throw WireError(.tooLarge) }
    }
}
