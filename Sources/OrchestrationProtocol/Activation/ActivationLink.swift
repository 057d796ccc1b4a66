public import Primitives

/// A link to an activation: the address of the platform, the account, and the part of the activation password that is
/// not secret.
///
/// An application server shows the text as a QR code or sends it as a link. The app shows ``address`` and ``account``,
/// asks whether they are right, and asks for the other nine characters of the activation password, which reach the user
/// over another channel. A link proves nothing, because anyone can create one. It only saves typing.
///
/// The form is `swift-orchestration:activate?at=ADDRESS&tenant=HASH&user=USER@DOMAIN&handle=ABC`, a URI of RFC 3986 of at
/// most 768 bytes. A link has one text.
public struct ActivationLink: Sendable, Hashable {
    private static let maximumByteCount = 768
    private static let start = "swift-orchestration:activate?"
    private static let names = ["at", "tenant", "user", "handle"]

    /// The maximum number of bytes of an address.
    package static let maximumAddressByteCount = 128

    /// The base address of the platform, such as `https://id.example.com`: `https:` or `http:` and 1 to 128 bytes of
    /// printable ASCII. The app decides whether it uses the address: a relay of the app has another address.
    public let address: String

    /// The account that is activated.
    public let account: AccountName

    /// The first 8 bytes of the SHA-256 of the tenant's name.
    private let tenantHash: [UInt8]

    /// The first three characters of the activation password as a number, 15 bits.
    private let handle: UInt16

    /// The link as a text.
    public var text: String {
        let values = [address, Hex.encode(tenantHash), account.text, ActivationPassword.text(ofHandle: handle)]
        return Self.start
            + zip(Self.names, values).map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
    }

    /// Reads a link.
    ///
    /// - Parameter text: The text as it was scanned or opened.
    /// - Throws: ``ActivationLinkError`` with `notALink` for a text of another kind, and with `malformed` for a link that
    ///   was altered.
    public init(_ text: String) throws(ActivationLinkError) {
        guard text.utf8.count <= Self.maximumByteCount, text.utf8.allSatisfy({ $0 < 0x80 }), text.hasPrefix(Self.start)
        else { throw ActivationLinkError(.notALink) }
        let parts = text.dropFirst(Self.start.count).split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count == Self.names.count else { throw ActivationLinkError(.malformed) }
        var values: [String] = []
        for (part, name) in zip(parts, Self.names) {
            guard part.hasPrefix(name + "="), let value = Self.unescaped(part.dropFirst(name.count + 1)) else {
                throw ActivationLinkError(.malformed)
            }
            values.append(value)
        }
        guard Self.isAddress(values[0]), let tenantHash = try? Hex.decode(values[1], limit: 2 * FieldSize.tenantHash),
            tenantHash.count == FieldSize.tenantHash,
            let account = try? AccountName(text: values[2], defaultDomain: ""),
            let handle = ActivationPassword.handle(ofText: values[3])
        else { throw ActivationLinkError(.malformed) }
        address = values[0]
        self.tenantHash = tenantHash
        self.account = account
        self.handle = handle
        // Another spelling of the same values is not a link of the platform.
        guard self.text == text else { throw ActivationLinkError(.malformed) }
    }

    /// Makes a link.
    ///
    /// - Returns: `nil` for an address that is not allowed in a link, and for a link of more than 768 bytes, which has
    ///   an address with many percent-encoded characters.
    package init?(address: String, tenant: String, account: AccountName, handle: UInt16) {
        guard Self.isAddress(address) else { return nil }
        self.address = address
        tenantHash = ApprovalPointer.hash(of: tenant)
        self.account = account
        self.handle = handle
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
    }

    /// Returns whether the link belongs to a tenant.
    package func names(tenant: String) -> Bool { tenantHash == ApprovalPointer.hash(of: tenant) }

    /// Returns the activation password that a user completed.
    ///
    /// - Parameter typed: The nine characters that are missing in the link, or all twelve. Case, spaces and hyphens do
    ///   not matter.
    /// - Returns: The activation password. It is not checked here; the activation checks it.
    public func activationPassword(completedBy typed: borrowing SecretBytes) -> SecretBytes {
        let start = Array(ActivationPassword.text(ofHandle: handle).utf8)
        return typed.withBytes { span in
            let count = span.indices.count {
                span[$0] != UInt8(ascii: "-") && span[$0] != UInt8(ascii: " ")
            }
            let isRest = count == ActivationPassword.length - start.count
            let prefix = isRest ? start : []
            return SecretBytes(count: prefix.count + span.count) { characters in
                for index in prefix.indices { characters[index] = prefix[index] }
                for index in span.indices { characters[prefix.count + index] = span[index] }
            }
        }
    }

    /// Returns whether a text may be the address in a link.
    package static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= maximumAddressByteCount, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return false
        }
        return ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}

// The percent-encoding of RFC 3986, section 2.1.
extension ActivationLink {
    /// Whether a byte stands for itself: the unreserved characters, and the characters that a query may contain and
    /// that do not separate its parts.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/@".utf8.contains(byte)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }

    /// Returns the text of a value; `nil` for a percent sign without two digits. Bytes that are not UTF-8 are replaced,
    /// which means that the text of the link differs.
    private static func unescaped(_ value: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard rest.count >= 2, let escaped = UInt8(digits, radix: 16) else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(escaped)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The error for a text that is not an ``ActivationLink``. It contains no part of the text.
public struct ActivationLinkError: CodedError, Sendable {
    /// The fault of a text.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The text is not a link, or is too long for one.
        public static let notALink = Code(description: "notALink")
        /// The text begins like a link but was altered: a part is missing, repeated, misplaced or malformed.
        public static let malformed = Code(description: "malformed")
    }

    /// The fault.
    public let code: Code

    /// The place in the source where the text was refused.
    public let location: SourceLocation

    /// The code in words.
    public var message: String {
        code == .notALink ? "the text is not an activation link" : "the activation link was altered; scan it again"
    }

    init(_ code: Code, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        location = SourceLocation(fileID: fileID, line: line)
    }
}
