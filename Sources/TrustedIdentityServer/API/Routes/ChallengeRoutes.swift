internal import Hummingbird
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/generate-challenge`
    func generateChallenge(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(ChallengeBody.self, from: request)
        let challenge = try await platform(for: request, context).generateChallenge(
            for: account, length: body.length, checkDigit: body.checkDigit, principal: context.principal?.id ?? "")
        return try JSONBody.response(ChallengeReply(challenge: challenge.digits, requestID: challenge.requestID))
    }
}

/// `POST /v1/users/{u@d}/generate-challenge`.
package struct ChallengeBody: Decodable, Sendable {
    /// The number of digits, with the check digit.
    let length: Int
    let checkDigit: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case length, checkDigit
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        length = try fields.decodeIfPresent(.length, in: LoginChallenge.lengths) ?? LoginChallenge.defaultLength
        checkDigit = try fields.decodeIfPresent(Flag.self, forKey: .checkDigit)?.value ?? false
    }
}

/// The answer to ``ChallengeBody``. It is the same for an unknown user.
struct ChallengeReply: Encodable {
    let challenge: String
    /// The id by which a login names the challenge.
    let requestID: String
}
