import ArgumentParser

/// The load driver of `Benchmarks/load`: accounts with prepared codes, and requests over many connections.
@main
struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Prepare and drive load on a platform.",
        subcommands: [
            Activate.self, Seed.self, Drive.self, Approve.self, Listen.self, ServeData.self, FillAudit.self,
            EqualAnswers.self,
        ])
}
