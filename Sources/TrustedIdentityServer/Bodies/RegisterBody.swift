/// `POST /v1/users/register`.
struct RegisterBody: Decodable, Sendable {
    let userID: String
    let domain: String?
    let staticPassword: String?
    let source: SourceFields

    private enum CodingKeys: String, CodingKey {
        case objectType, userID, domain, staticPassword, activationType
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        _ = try fields.decode(.objectType, oneOf: ["RegisterUserInputEx", "AdaptiveRegisterUserInput"])
        userID = try fields.decode(.userID, bytes: 512)
        domain = try fields.decodeIfPresent(.domain, bytes: 64)
        staticPassword = try fields.decodeIfPresent(.staticPassword, bytes: 1_024)
        if fields.contains(.activationType), try !fields.decodeNil(forKey: .activationType) {
            // "fido" is no activation of this platform. The other two differ in the original's licences only.
            _ = try fields.decode(.activationType, oneOf: ["onlineMDL", "offlineMDL"])
        }
        source = try SourceFields(from: decoder)
    }
}

/// The answer to ``RegisterBody``.
struct RegisterReply: Encodable {
    let activationPassword: String
    let registrationID: String
    let serialNumber: String
    let riskResponseCode = RiskResponseCode.accept
}
