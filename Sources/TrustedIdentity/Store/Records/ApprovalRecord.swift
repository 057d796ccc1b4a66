package import OrchestrationProtocol
package import Primitives

/// The state of an approval request. The database has the raw values.
public enum ApprovalState: String, Sendable, Hashable, CaseIterable, Codable {
    /// It waits for an answer of a device, until it expires.
    case pending
    /// The user approved it.
    case approved
    /// The user rejected it.
    case rejected
    /// The user approved it with another number than the site shows.
    case wrongNumber
    /// The user answered by a method that the policy does not accept.
    case methodRefused
    /// It expired without an answer.
    case expired
    /// A newer login replaced it.
    case replaced
    /// The application server canceled it, or its account was removed.
    case canceled
}

/// A login, transaction or event that the platform asks a user to approve.
///
/// The display data is signed and never changes. One compare-and-set moves the state from ``ApprovalState/pending``
/// to another state, once: one answer counts, from whichever device.
package struct ApprovalRecord: VersionedRecord, Hashable {
    /// The id that the platform made, 16 bytes; the key.
    package var id: [UInt8]
    /// `user@domain`, normalized.
    package var account: String
    /// The kind of the request.
    package var kind: ApprovalKind
    /// The id of the API key that asked; empty for code that embeds the platform.
    package var principal: String
    /// The request id of the application server, or of the platform where it named none: 1…256 bytes.
    package var requestID: String
    /// The session that the application server named, 1…256 bytes; nil for none.
    package var sessionID: String?
    /// The keyed hash of the source, or of the session of an unknown source; empty where neither is named.
    package var source: String = ""
    /// The keyed hash of the address of the end user, 16 characters; empty where the site names none.
    package var address: String = ""
    /// The signed approval request, as devices get it.
    package var request: [UInt8]
    /// SHA-256 of ``request``.
    package var requestHash: [UInt8]
    /// The methods that the policy accepts in an approval.
    package var acceptedMethods: Set<AuthenticationMethod>
    /// The number that the site shows, sealed; nil where it shows none, and when the request has ended.
    package var number: SealedValue?
    /// Whether devices are notified. Devices fetch a request that is not announced when the user opens the app.
    package var isAnnounced: Bool
    /// The amount of a transaction in the smallest unit of its currency, as decimal text; nil if there is none.
    package var amount: String?
    /// The currency of the amount, a code of ISO 4217; nil if there is none.
    package var currency: String?
    /// A keyed hash of the creditor of a transaction, 16 bytes; nil if there is none.
    package var creditor: [UInt8]?
    /// A keyed hash of the fingerprint of the browser, 16 bytes; nil if there is none.
    package var browser: [UInt8]?
    /// The rules of the policy that depend on the data of the device that answers, encoded; nil where the data change
    /// nothing.
    package var deviceRules: [UInt8]?
    /// The state.
    package var state: ApprovalState = .pending
    /// The time of its creation.
    package var createdAt: Timestamp
    /// The time from which no answer is accepted.
    package var expiresAt: Timestamp
    /// The time when a device first fetched it; nil if none did.
    package var openedAt: Timestamp?
    /// The time when it ended; nil while it is pending.
    package var endedAt: Timestamp?
    /// The device whose answer ended it, 16 bytes; nil if none did. Of a seal, the device that has asked for it, from
    /// the beginning.
    package var device: [UInt8]?
    /// SHA-256 of the signed answer that ended it; nil if none did.
    package var answerHash: [UInt8]?
    /// The reason of a rejection.
    package var reason: RejectionReason?
    /// The receipt; nil if no answer ended it.
    package var receipt: [UInt8]?
    /// The notice for the user's devices; nil unless the application server canceled the request with one.
    package var notice: RefusalNotice?
    /// The notice for the device whose answer the policy refuses; nil for none, and when the request has ended
    /// otherwise.
    package var refusalNotice: RefusalNotice?
    /// The time until which the row is kept.
    package var keptUntil: Timestamp
    /// The number of updates.
    package var version: Int64 = 0
}

/// The right of a device to open one stream of notifications. The token itself is not stored.
package struct StreamTokenRecord: Sendable, Hashable {
    /// SHA-256 of the token, 32 bytes; the key.
    package var tokenHash: [UInt8]
    /// The device, 16 bytes.
    package var device: [UInt8]
    /// The time from which no stream opens with the token.
    package var expiresAt: Timestamp
}
