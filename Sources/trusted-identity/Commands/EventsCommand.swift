internal import ArgumentParser
internal import CommandLine
internal import TrustedIdentity
internal import TrustedIdentityServer

/// `events`: the events for the application server.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Look after the events for the application server.",
        subcommands: [EventsStatusCommand.self])
}

/// `events status`: the pending events, and whether the receiver accepts them.
struct EventsStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the events that wait for the application server.",
        discussion: """
            Shows how many events wait and since when, how many of them the receiver has refused 20 times or more, and \
            the failures in a row, with the status of the latest answer. Refusals and failures are those since the start \
            of the server. Nothing is delivered while no server runs.
            """)

    @OptionGroup var data: DataOption
    @OptionGroup var output: OutputOption

    mutating func run() async throws {
        let events: EventStatus = try await Administration(data: data).send(.get, "v1/events")
        if output.isJSON { return try StandardStream.output.print(json: events) }
        StandardStream.output.print("recording: \(events.isRecording ? "yes" : "no, events.url names no receiver")")
        StandardStream.output.print("waiting: \(events.waiting)\(events.isFull ? ", the oldest are dropped" : "")")
        if events.parked > 0 { StandardStream.output.print("parked: \(events.parked), refused 20 times or more") }
        if let since = events.waitingSince { StandardStream.output.print("since: \(since.rfc3339)") }
        StandardStream.output.print("delivered: \(events.deliveredAt?.rfc3339 ?? "never since the start")")
        guard events.failures > 0 else { return }
        let answer = events.answer.map { "status \($0)" } ?? "no answer"
        StandardStream.output.print("failures: \(events.failures), \(answer)")
    }
}
