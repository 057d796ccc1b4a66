import Testing

@testable import OrchestrationHTTP

/// The parser of Server-Sent Events.
@Suite struct ServerSentEventTests {
    typealias Event = ServerSentEventParser.Event

    @Test(arguments: [
        ("event: approval\nid: 0a\ndata: gwZI\n\n", [Event(type: "approval", data: "gwZI", id: "0a")]),
        ("event:approval\r\ndata:gwZI\r\n\r\n", [Event(type: "approval", data: "gwZI", id: nil)]),
        ("data: a\rdata: b\r\r", [Event(type: "", data: "a\nb", id: nil)]),
        (
            "data: a\n\nid: 1\ndata: b\n\ndata: c\n\n",
            [
                Event(data: "a"), Event(data: "b", id: "1"), Event(data: "c", id: "1"),
            ]
        ),
        ("data\n\nretry: 5\nother: x\ndata:  y\n\n", [Event(data: ""), Event(data: " y")]),
        ("event: approval\n\n", []), ("data: never ended", []), ("\n\n\n", []),
    ])
    func `events are read as the standard says`(text: String, events: [Event]) throws {
        #expect(try Self.outputs(text) == events)
    }

    @Test func `a comment is a sign of life`() throws {
        #expect(try Self.outputs(": heartbeat\n\n:\ndata: x\n\n") == [Event(), Event(), Event(data: "x")])
    }

    @Test func `a line and an event have limits`() throws {
        let line = String(repeating: "x", count: ServerSentEventParser.longestLine - 6)
        #expect(try Self.outputs("data: \(line)\n\n").count == 1)
        #expect(throws: HTTPFailure.self) { try Self.outputs("data: \(line)xx\n\n") }
        #expect(throws: HTTPFailure.self) { try Self.outputs(String(repeating: "data: \(line)\n", count: 5)) }
        // Comments and unknown fields without end are harmless.
        #expect(try Self.outputs(String(repeating: ":\n", count: 10_000)).count == 10_000)
    }

    private static func outputs(_ text: String) throws -> [Event] {
        var parser = ServerSentEventParser()
        return try text.utf8.compactMap { try parser.consume($0) }
    }
}
