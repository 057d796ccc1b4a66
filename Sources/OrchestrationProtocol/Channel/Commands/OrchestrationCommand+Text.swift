internal import Primitives

extension OrchestrationCommand {
    /// The command as base64url without padding (RFC 4648, section 5): for transports, JSON and push messages.
    public var text: String { Base64URL.encode(bytes) }

    /// The command as Base45 (RFC 9285), for the alphanumeric mode of QR codes.
    public var qrText: String { Base45.encode(bytes) }

    /// Creates a command from base64url without padding, or from hexadecimal digits of either case.
    ///
    /// - Parameter text: A value of ``text``, or hexadecimal digits. The two differ in the first character: a command
    ///   starts with an array or a COSE tag, which is 8, 9 or D in hexadecimal and another character in base64url.
    /// - Throws: ``WireError`` with the code `invalidText` if the text is in neither form, or the errors of
    ///   ``init(bytes:)``.
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

    /// Creates a command from the text of a QR code.
    ///
    /// - Parameter qrText: A value of ``qrText``.
    /// - Throws: ``WireError`` with the code `invalidText` if the text is not Base45, or the errors of
    ///   ``init(bytes:)``.
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

    /// The maximum length of a text. No form has more than two characters per byte.
    private static let textLimit = maximumByteCount * 2

    private static func check(length: Int) throws(WireError) {
        guard length > 0 else { throw WireError(.empty) }
        guard length <= textLimit else { throw WireError(.tooLarge) }
    }
}
