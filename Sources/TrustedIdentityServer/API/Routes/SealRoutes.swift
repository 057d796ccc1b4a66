internal import Hummingbird
internal import OrchestrationProtocol
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `POST /v1/users/{u@d}/seals/validate`
    func validateSeal(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let body = try await JSONBody.decode(SealBody.self, from: request)
        let decision = try await platform(for: request, context).validate(
            LocalSeal(
                account: account, data: body.data, seal: body.seal, source: body.source.sourceID,
                address: body.source.address, fingerprint: body.source.fingerprint,
                showsNumbers: context.principal?.showsNumbers ?? false))
        return try reply(to: decision, requestID: body.requestID, context)
    }
}

/// `POST /v1/users/{u@d}/seals/validate`.
package struct SealBody: Decodable, Sendable {
    let data: LocalSeal.Data
    /// The seal as typed.
    let seal: String
    /// The caller's id, 1 to 256 bytes.
    let requestID: String?
    let source: SourceFields

    enum CodingKeys: String, CodingKey, CaseIterable {
        case requestID, seal, digest, name, text
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        requestID = try fields.decodeIDIfPresent(.requestID)
        seal = try fields.decode(.seal, bytes: 32)
        let name = try fields.decodeIfPresent(.name, bytes: 4 * SealContent.maximumNameBytes)
        let text = try fields.decodeIfPresent(.text, bytes: 4 * SealContent.maximumTextBytes)
        if let text {
            try Self.check(.text, in: fields) { () throws(SealFault) in try SealContent(text: text) }
            for key in [CodingKeys.digest, .name] where fields.contains(key) {
                guard try fields.decodeNil(forKey: key) else {
                    throw fields.problem(key, "must be left out beside text")
                }
            }
            data = .text(text)
        } else {
            let digest = try fields.decode(.digest, bytes: 64)
            guard let bytes = try? Hex.decode(digest, limit: 64), bytes.count == 32 else {
                throw fields.problem(.digest, SealFault.digest.message)
            }
            data = .digest(bytes, name: name)
            try Self.check(.name, in: fields) { () throws(SealFault) in try SealContent(name: name, digest: bytes) }
        }
        source = try SourceFields(from: decoder)
    }

    /// Checks the data. An error names the field.
    private static func check(
        _ key: CodingKeys, in fields: KeyedDecodingContainer<CodingKeys>,
        _ make: () throws(SealFault) -> SealContent
    ) throws {
        do throws(SealFault) {
            _ = try make()
        } catch {
            throw fields.problem(key, error.message)
        }
    }
}
