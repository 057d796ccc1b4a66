/// `POST /v1/users/{u@d}/sync-authenticator`: two one-time passwords that followed each other.
struct SynchronizeBody: Decodable, Sendable {
    let first: String
    let second: String
    let application: UInt8

    private enum CodingKeys: String, CodingKey {
        case firstOTP, secondOTP, application
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        first = try fields.decode(.firstOTP, bytes: 32)
        second = try fields.decode(.secondOTP, bytes: 32)
        if first == second { throw fields.problem(.secondOTP, "must be the one-time password after firstOTP") }
        application = UInt8(try fields.decodeIfPresent(.application, in: 1...8) ?? 1)
    }
}

/// The answer to a request that only does something.
struct StatusReply: Encodable {
    let status: String
}
