/// The bodies of requests, so that hostile bytes can be put before their decoders without a server.
package enum RequestBodyForm: String, Sendable, CaseIterable {
    case register, login, checkStatus, synchronize, command

    /// Whether the bytes are such a body. What is refused has an error that can be answered.
    package func accepts(_ bytes: [UInt8]) -> Bool {
        do throws(APIError) {
            switch self {
            case .register: _ = try JSONBody.decode(RegisterBody.self, from: bytes)
            case .login: _ = try JSONBody.decode(LoginBody.self, from: bytes)
            case .checkStatus: _ = try JSONBody.decode(CheckStatusBody.self, from: bytes)
            case .synchronize: _ = try JSONBody.decode(SynchronizeBody.self, from: bytes)
            case .command: _ = try JSONBody.decode(CommandBody.self, from: bytes)
            }
            return true
        } catch {
            return false
        }
    }
}
