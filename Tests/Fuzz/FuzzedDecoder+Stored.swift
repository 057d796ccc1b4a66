import Orchestration
import OrchestrationHTTP
import TrustedIdentityServer
import Wire

extension FuzzedDecoder {
    /// The formats in the store of a device.
    static let stored: [FuzzedDecoder] = StoredForm.allCases.map { form in
        FuzzedDecoder(name: "stored-\(form.rawValue)") { bytes in
            guard let again = form.reencoded(bytes) else { return false }
            promise(again == bytes, "what is stored has one form")
            return true
        }
    }

    /// JSON over HTTP, in both directions.
    static let bodies: [FuzzedDecoder] =
        [
            FuzzedDecoder(name: "reply") { bytes in
                guard let command = try? CommandBody.command(in: bytes), let again = try? CommandBody.encoded(command)
                else { return false }
                promise((try? CommandBody.command(in: again)) == command, "a reply is read as it is written")
                return true
            }
        ]
        + RequestBodyForm.allCases.map { form in
            FuzzedDecoder(name: "body-\(form.rawValue)") { form.accepts($0) }
        }
}
