internal import Primitives

/// The party that caused an event of the audit log.
///
/// Stores and exported files keep the raw value: `api-key:` and the id of the key, `device:` and the id of the device
/// in hexadecimal, `administrator`, `platform` or `stranger`. New words may come; existing words keep their meaning.
public struct AuditActor: RawRepresentable, Sendable, Hashable {
    /// The text that stores keep.
    public let rawValue: String

    /// Creates an actor of this or a later version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An administrator at the command line or the socket of the server.
    public static let administrator = AuditActor(rawValue: "administrator")
    /// The platform itself, such as a sweep of what expired, or the code that embeds it.
    public static let platform = AuditActor(rawValue: "platform")
    /// A caller that has proven nothing.
    public static let stranger = AuditActor(rawValue: "stranger")

    /// Returns the actor of an authenticated API key.
    ///
    /// - Parameter id: The id of the key, which is not secret.
    public static func apiKey(_ id: String) -> AuditActor { AuditActor(rawValue: "api-key:" + id) }

    /// Returns the actor of a device that has proven its keys.
    ///
    /// - Parameter id: The id of the device, 16 bytes.
    public static func device(_ id: [UInt8]) -> AuditActor { AuditActor(rawValue: "device:" + Hex.encode(id)) }
}

/// The origin of a platform call: its party, its correlation id and its network address.
///
/// The audit log entries that the call causes contain these values. See ``Platform/acting(for:)``.
public struct AuditOrigin: Sendable, Hashable {
    /// The maximum number of characters of a correlation id.
    public static let maximumCorrelationIDLength = 64

    /// The platform itself, or the code that embeds it.
    public static let platform = AuditOrigin(actor: .platform)

    /// The party.
    public var actor: AuditActor
    /// The correlation id of the request; `nil` for a call that is not a request.
    public let correlationID: String?
    /// The IP address of the caller in its canonical text (RFC 5952 for IPv6); `nil` for a local caller.
    public let address: String?

    /// Creates an origin.
    ///
    /// - Parameters:
    ///   - actor: The party.
    ///   - correlationID: The correlation id. An id that is not safe in a log (``isSafe(correlationID:)``) is left out,
    ///     because it may come from the caller.
    ///   - address: The IP address as text. The same address in another form gives the same value: an IPv4 address that
    ///     is mapped into IPv6 is that IPv4 address, and a zone index is dropped. Any other text is left out.
    public init(actor: AuditActor, correlationID: String? = nil, address: String? = nil) {
        self.actor = actor
        self.correlationID = correlationID.flatMap { Self.isSafe(correlationID: $0) ? $0 : nil }
        self.address = address.flatMap(AddressNetwork.canonicalText)
    }

    /// Returns whether a correlation id is safe in a header and in a log: 1 to 64 of the letters and digits of ASCII,
    /// `-`, `_` and `.`.
    public static func isSafe(correlationID: String) -> Bool {
        correlationID.isPlainID(lengths: 1...maximumCorrelationIDLength)
    }
}

extension AuditEntry {
    /// Returns the entry with the origin of the call that causes it, unless the entry already names its actor.
    func caused(by origin: AuditOrigin) -> AuditEntry {
        guard actor == nil else { return self }
        var entry = self
        entry.actor = origin.actor
        entry.correlationID = origin.correlationID
        entry.address = origin.address
        return entry
    }
}
