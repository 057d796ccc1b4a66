import Hummingbird
import NIOCore
import TrustedIdentity
import TrustedIdentityServer

/// The program of the article "Request approvals".
func siteExample() async throws {
    // The platform, whose database ends with the program. A real site has a file and keeps the master key.
    let platform = try await Platform(database: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "site"))
    let site = Router()

    // Registers a user. The page is the activation password.
    site.post("users/:user") { _, context in
        let account = try AccountName(userID: context.parameters.require("user"), domain: "master")
        return try await platform.register(Registration(account: account)).activationPassword + "\n"
    }

    // Logs a user in.
    site.post("logins/:user") { _, context in
        let account = try AccountName(userID: context.parameters.require("user"), domain: "master")
        let login = ApprovalParameters(
            .login, of: account, display: try DisplayData([.requester("Example shop")]), showsNumbers: true)
        return Response(
            status: .ok, headers: [.contentType: "text/plain"],
            body: ResponseBody { page in
                for try await event in platform.approvals(login) {
                    let line =
                        switch event {
                        case .requested(let report): "Type \(report.numberToMatch ?? "no number") in the app."
                        case .opened: "The app shows the login."
                        case .ended(let report) where report.status == .accepted: "Welcome."
                        case .ended(let report): "No login: \(report.declineReason?.rawValue ?? "it expired")."
                        }
                    try await page.write(ByteBuffer(string: line + "\n"))
                }
                try await page.finish(nil)
            })
    }

    let pages = Application(router: site, configuration: .init(address: .hostname("127.0.0.1", port: 8092)))
    try await Server(platform: platform, configuration: ServerConfiguration(port: 8091)).run { _ in
        try await pages.runService()
    }
}
