/// `POST /v1/registrations/check-status`.
struct CheckStatusBody: Decodable, Sendable {
    /// The user, with or without `@domain`.
    let login: String
    /// How long the answer may wait for a change, 0…300 seconds.
    let timeoutSeconds: Int

    private enum CodingKeys: String, CodingKey {
        case login, timeoutSeconds
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        login = try fields.decode(.login, bytes: 600)
        timeoutSeconds = try fields.decodeIfPresent(.timeoutSeconds, in: 0...300) ?? 0
    }
}

/// The answer to ``CheckStatusBody``: `pending`, `activated`, `timeout` or `unknown`.
struct CheckStatusReply: Encodable {
    let activationStatus: String
}
