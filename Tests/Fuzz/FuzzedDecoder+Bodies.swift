import OrchestrationHTTP
import TrustedIdentityServer

extension FuzzedDecoder {
    /// The JSON bodies over HTTP, in both directions.
    static let bodies: [FuzzedDecoder] = [
        FuzzedDecoder(name: "reply") { bytes in
            guard let command = try? OrchestrationHTTP.CommandBody.command(in: bytes),
                let again = try? OrchestrationHTTP.CommandBody.encoded(command)
            else { return false }
            promise(
                (try? OrchestrationHTTP.CommandBody.command(in: again)) == command, "a reply is read as it is written")
            return true
        },
        request("register", RegisterBody.self),
        request("login", LoginBody.self),
        request("challenge", ChallengeBody.self),
        request("transaction", TransactionBody.self),
        request("seal", SealBody.self),
        request("event", EventBody.self),
        request("cancellation", NoticeBody.self),
        request("checkStatus", CheckStatusBody.self),
        request("synchronize", SynchronizeBody.self),
        request("command", TrustedIdentityServer.RelayedCommandBody.self),
        // Each refusal is a list of problems that a person can be shown.
        FuzzedDecoder(name: "policy-file") { bytes in
            do throws(PolicyFileError) {
                _ = try PolicyFile.policy(in: String(decoding: bytes, as: UTF8.self))
                return true
            } catch {
                promise(!error.problems.isEmpty, "a refusal names a problem")
                return false
            }
        },
    ]

    /// Creates the decoder of the body of a request. Each refusal is an `APIError`, which the server can answer.
    private static func request<Body: Decodable & SendableMetatype>(_ name: String, _ type: Body.Type) -> FuzzedDecoder
    {
        FuzzedDecoder(name: "body-\(name)") { bytes in
            do throws(APIError) {
                _ = try JSONBody.decode(type, from: bytes)
                return true
            } catch {
                return false
            }
        }
    }
}
