internal import Crypto
internal import Primitives
internal import Synchronization

/// The tokens that name the platform to push services of the web (RFC 8292), one for each origin.
final class ServerIdentification: Sendable {
    /// The time from the creation of a token to its end. A service refuses more than a day.
    private static let validity: Int64 = 12 * 3_600
    /// The age at which a token is renewed.
    static let lifetime = Duration.seconds(6 * 3_600)
    /// The maximum number of origins. Devices choose them among the allowed hosts, which means there can be many.
    private static let capacity = 1_000

    private struct Made: Sendable {
        let text: String
        let uptime: Duration
    }

    private struct Header: Encodable {
        let alg = "ES256"
        let typ = "JWT"
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    private let key: P256.Signing.PrivateKey
    private let publicKey: String
    private let subject: String
    private let time: any TimeSource
    private let made = Mutex<[String: Made]>([:])

    init(_ key: borrowing WebPushKey, subject: String, time: any TimeSource) {
        self.key = key.key
        publicKey = Base64URL.encode(Array(key.key.publicKey.x963Representation))
        self.subject = subject
        self.time = time
    }

    /// Returns the value of the header `Authorization` for an origin.
    func authorization(for origin: String) throws -> String {
        try made.withLock { made in
            let uptime = time.uptime()
            if let known = made[origin], uptime - known.uptime < Self.lifetime { return known.text }
            if made.count >= Self.capacity { made = [:] }
            let token = try JSONWebToken.compact(
                header: Header(),
                claims: Claims(aud: origin, exp: time.now().secondsSinceEpoch + Self.validity, sub: subject)
            ) { Array(try key.signature(for: $0).rawRepresentation) }
            let text = "vapid t=\(token), k=\(publicKey)"
            made[origin] = Made(text: text, uptime: uptime)
            return text
        }
    }
}
