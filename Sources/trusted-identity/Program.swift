internal import ArgumentParser

/// The platform's program: `trusted-identity`.
@main struct Program {
    static func main() async {
        do {
            var command = try TrustedIdentityCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            Failure(error).exit()
        }
    }
}
