internal import Crypto
internal import Primitives
internal import Synchronization

/// The token that all requests to the Apple Push Notification service carry.
///
/// The service accepts a token for an hour, and refuses a provider that creates more than one in 20 minutes.
final class ProviderToken: Sendable {
    /// The age at which a token is renewed.
    static let lifetime = Duration.seconds(50 * 60)
    /// The minimum age of a token that is replaced.
    static let leastAge = Duration.seconds(20 * 60)

    private struct Made: Sendable {
        let text: String
        let uptime: Duration
    }

    private struct Header: Encodable {
        let alg = "ES256"
        let kid: String
    }

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
    }

    private let key: P256.Signing.PrivateKey
    private let keyID: String
    private let teamID: String
    private let time: any TimeSource
    // The lock is held while a token is created, because deliveries that begin together must create only one.
    private let made = Mutex<Made?>(nil)

    init(_ key: borrowing APNsKey, time: any TimeSource) {
        self.key = key.key
        keyID = key.keyID
        teamID = key.teamID
        self.time = time
    }

    /// Returns the token, and creates one when there is none or when it is too old.
    func current() throws -> String {
        try made.withLock { made in
            let uptime = time.uptime()
            if let made, uptime - made.uptime < Self.lifetime { return made.text }
            return try make(&made, at: uptime)
        }
    }

    /// Returns a token other than one that the service reports as expired; nil when it is too early to create one.
    func replacement(of expired: String) throws -> String? {
        try made.withLock { made in
            let uptime = time.uptime()
            guard let present = made else { return try make(&made, at: uptime) }
            // Another delivery has replaced it.
            guard present.text == expired else { return present.text }
            return uptime - present.uptime < Self.leastAge ? nil : try make(&made, at: uptime)
        }
    }

    private func make(_ made: inout Made?, at uptime: Duration) throws -> String {
        let text = try JSONWebToken.compact(
            header: Header(kid: keyID), claims: Claims(iss: teamID, iat: time.now().secondsSinceEpoch)
        ) { Array(try key.signature(for: $0).rawRepresentation) }
        made = Made(text: text, uptime: uptime)
        return text
    }
}
