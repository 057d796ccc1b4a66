internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentityServer

/// `health`: whether the running server can serve requests.
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show whether the running server can serve requests.",
        discussion: """
            Prints 'ready' and ends with 0, or prints the problems and ends with 1. Notes, which do not keep it from \
            serving, go to the standard error. Without a running server it ends with \
            5. A supervisor or a container can ask it.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let folder = try DataFolder(of: ProgramConfiguration.read(data).configuration, mode: .mustExist)
        let health = try await AdministrationClient(socket: folder.socketPath).health()
        if output.isJSON {
            try StandardStream.output.print(json: health)
        } else if health.isReady {
            StandardStream.output.print("ready")
        } else {
            for problem in health.problems { StandardStream.output.print("\(problem.part)  \(problem.message)") }
        }
        if !output.isJSON {
            for note in health.notes { StandardStream.error.print("note: \(note.part)  \(note.message)") }
        }
        guard health.isReady else { throw ErrorReport(.failed, "the server is not ready") }
    }
}

/// `metrics`: the metrics of the running server.
struct Metrics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the metrics of the running server.", discussion: "The text form of Prometheus, version 0.0.4.")

    @OptionGroup var data: DataOption

    mutating func run() async throws {
        let folder = try DataFolder(of: ProgramConfiguration.read(data).configuration, mode: .mustExist)
        let text = try await AdministrationClient(socket: folder.socketPath).metrics()
        StandardStream.output.print(String(text.dropLast()))
    }
}
