import ArgumentParser
import Foundation
import TrustedIdentityServer

/// `load serve`: serves the data of a platform with transactions of another size, to show what a transaction for each
/// login costs. `trusted-identity serve` is the program that is measured otherwise.
struct ServeData: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve")

    @Option(help: "The folder of the platform.") var data: String
    @Option(help: "The most writes of a transaction.") var batch = 1

    func run() async throws {
        let configuration = InstallationConfiguration(server: ServerConfiguration(port: 0))
        try await OpenedData.use(data, batch: batch, configuration: configuration) { installation in
            try await installation.server().run { port in
                print("listening on http://127.0.0.1:\(port)")
                fflush(nil)
                // Until the driver closes standard input.
                while readLine() != nil {}
            }
        }
    }
}
