internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `DELETE /v1/users/{u@d}/devices/{device}`
    func revokeDevice(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let id = try Self.device(in: context)
        guard let scope = context.scope else { throw APIError(.unauthorized) }
        try await platform(for: request, context).revokeDevice(id, of: account, requestedBy: scope)
        return try JSONBody.response(StatusReply(status: "revoked"))
    }

    /// `POST /v1/users/{u@d}/unlock`, and `POST /v1/users/{u@d}/devices/{device}/unlock`: issues an unlock code.
    func issueUnlockCode(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try account(in: context)
        let id = context.parameters.get("device") == nil ? nil : try Self.device(in: context)
        guard let scope = context.scope else { throw APIError(.unauthorized) }
        let code = try await platform(for: request, context)
            .issueUnlockCode(for: account, device: id, requestedBy: scope)
        return try JSONBody.response(UnlockCodeBody(code))
    }

    /// Returns the id of the device that the path names.
    static func device(in context: ServerContext) throws(APIError) -> [UInt8] {
        guard let id = DeviceID.decode(context.parameters.get("device") ?? "") else {
            throw APIError(field: "deviceID", "must be 32 hexadecimal digits")
        }
        return id
    }
}

/// The text form of a device id: 32 hexadecimal digits.
enum DeviceID {
    /// Returns the 16 bytes of an id; `nil` for another text.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard let bytes = try? Hex.decode(text, limit: 32), bytes.count == 16 else { return nil }
        return bytes
    }
}

/// An unlock code that was just issued, as a report of `device unlock` and the answer of its route.
package struct UnlockCodeBody: Codable, Sendable {
    /// The code, for the user.
    package let unlockCode: String
    /// The device that it unlocks, 32 hexadecimal digits.
    package let deviceID: String
    /// The time from which the code is refused, RFC 3339.
    package let expiresAt: String

    init(_ code: UnlockCode) {
        unlockCode = code.code
        deviceID = Hex.encode(code.device)
        expiresAt = code.expiresAt.rfc3339
    }
}
