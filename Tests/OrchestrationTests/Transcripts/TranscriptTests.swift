import Foundation
import Logging
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

/// Records of flows for support.
@Suite struct TranscriptTests {
    private func orchestrator(
        _ stage: Stage, _ recorder: TranscriptRecorder, user: ScriptedUser? = nil, transport: (any Transport)? = nil
    ) throws -> Orchestrator {
        var configuration = Configuration(
            salts: try Salts(authenticator: Array(repeating: 1, count: 16), storage: Array(repeating: 2, count: 16)),
            postQuantum: .off)
        configuration.passwordCost = .testing
        return try Orchestrator(
            configuration: configuration, transport: transport ?? stage.wire, providers: [user ?? stage.user],
            store: stage.store, keys: stage.keys, time: stage.time, random: stage.random, logger: Logger(label: "test"),
            recorder: recorder)
    }

    @Test func `an activation has its steps, sizes and times, and one correlation id for all commands`() async throws {
        let stage = try await Stage()
        let recorder = TranscriptRecorder()
        let ids = Mutex<[String?]>([])
        let transport = SpyingTransport(base: stage.wire) {
            ids.withLock { $0.append(Transcript.currentCorrelationID) }
            stage.time.advance(milliseconds: 25)
        }
        let code = try await stage.platform.register("alice")
        _ = try await orchestrator(stage, recorder, transport: transport).user("alice").activate(with: code)
        let transcript = try #require(recorder.transcripts.first)
        #expect(recorder.transcripts.count == 1)
        #expect(transcript.flow == "activation")
        #expect(transcript.correlationID.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(ids.withLock { $0 } == Array(repeating: transcript.correlationID, count: 4))
        let exchanges = transcript.entries.filter { $0.kind == .exchange }
        #expect(exchanges.map(\.sentBytes) == stage.wire.sent.map(\.bytes.count))
        #expect(exchanges.allSatisfy { $0.name == "answered" && $0.duration == 25 && ($0.receivedBytes ?? 0) > 30 })
        #expect(exchanges.map(\.milliseconds) == [0, 25, 50, 75])
        let events = transcript.entries.filter { $0.kind == .event }.map(\.name)
        #expect(events == (1...4).map { "activation \($0)/4" })
        #expect(transcript.entries.last?.kind == .end)
        #expect(transcript.entries.last?.name == "succeeded: activated")
        // Outside of the flow there is no id.
        #expect(Transcript.currentCorrelationID == nil)
    }

    @Test func `the transcript of a flow that failed has the code and the cause`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let recorder = TranscriptRecorder()
        stage.wire.cut(true)
        await #expect(throws: OrchestrationError(.transport)) {
            _ = try await orchestrator(stage, recorder).registerNotifications(for: "alice").result()
        }
        let transcript = try #require(recorder.transcripts.first)
        #expect(
            transcript.entries.map(\.name)
                == Array(repeating: "transport", count: Courier.sendings) + ["transport"])
        #expect(transcript.entries.allSatisfy { $0.receivedBytes == nil })
        #expect(transcript.entries.last?.kind == .end)
        // An error with a cause of one design, one of the app, and parameters that are refused.
        stage.wire.cut(false)
        await #expect(throws: OrchestrationError(.invalidUser)) {
            _ = try await orchestrator(stage, recorder).registerNotifications(for: "a/b").result()
        }
        #expect(recorder.transcripts.last?.flow == "unknown")
        #expect(recorder.transcripts.last?.entries.map(\.name) == ["invalidUser: userIDCharacter"])
    }

    @Test func `a refused answer, wrong passwords and the end of an approval are named without values`() async throws {
        let stage = try await Stage(showsNumbers: true)
        try await stage.activate()
        let recorder = TranscriptRecorder()
        let user = ScriptedUser([.password("739105"), .password(Stage.password)])
        _ = try await stage.orchestrator().user("alice").registerNotifications()
        let report = try await stage.platform.requestLogin("alice", showing: [.text("canary display")])
        let number = try #require(report.numberToMatch)
        let wrong = number == "000000" ? "000001" : "000000"
        let orchestrator = try orchestrator(stage, recorder, user: user)
        _ = try await ApprovalRun(orchestrator.execute(#require(report.pointer))) {
            try await $0.approve(number: wrong)
        }
        let transcript = try #require(recorder.transcripts.first)
        #expect(transcript.flow == "approval")
        #expect(
            transcript.entries.filter { $0.kind != .exchange }.map(\.name) == [
                "approval 1/2", "approvalRequired: login, 6 digits", "inputRejected: wrongPassword",
                "warning: failedPasswords(1)", "aborted: wrongNumber (22)",
            ])
        let texts = [transcript.description, String(decoding: try JSONEncoder().encode(transcript), as: UTF8.self)]
        for text in texts {
            for secret in ["canary", "alice", "master", number, wrong, "739105", Stage.password] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }

    @Test func `a flow that is left, canceled or superseded has its end`() async throws {
        let stage = try await Stage()
        let code = try await stage.platform.register("alice")
        let recorder = TranscriptRecorder()
        let app = try orchestrator(stage, recorder)
        for try await _ in app.activate("alice", with: code) { break }
        #expect(recorder.transcripts.last?.entries.last?.name == "left")
        let transport = SpyingTransport(base: stage.wire) { throw CancellationError() }
        let canceled = try orchestrator(stage, recorder, transport: transport)
        await #expect(throws: CancellationError.self) {
            _ = try await canceled.activate("alice", with: code).result()
        }
        #expect(recorder.transcripts.last?.entries.map(\.name) == ["canceled", "canceled"])
        var iterator = app.activate("alice", with: code).makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await app.user("alice").activate(with: code)
        #expect(try await iterator.next()?.word == "aborted: superseded")
        #expect(recorder.transcripts.last?.entries.last?.name == "aborted: superseded")
    }

    @Test func `a recorder keeps the latest transcripts and reports each once`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let ended = Mutex<[Transcript]>([])
        let recorder = TranscriptRecorder(capacity: 2) { transcript in ended.withLock { $0.append(transcript) } }
        let app = try orchestrator(stage, recorder)
        for _ in 0..<3 {
            stage.advance(seconds: 31)
            _ = try await app.user("alice").oneTimePassword()
        }
        let all = ended.withLock { $0 }
        #expect(all.count == 3)
        #expect(Set(all.map(\.correlationID)).count == 3)
        #expect(recorder.transcripts == Array(all.suffix(2)))
    }

    @Test func `a transcript is read as it was written, and bounded`() throws {
        let recorder = TranscriptRecorder()
        let time = ManualTimeSource()
        let run = TranscriptRun(recorder, time: time, random: SeededRandomSource(seed: 3))
        for _ in 0..<300 { run.record(.warning(Warning(.clockUncertain))) }
        run.end(OrchestrationError(.transport))
        run.end(OrchestrationError(.internal))
        run.leave()
        let transcript = try #require(recorder.transcripts.first)
        #expect(recorder.transcripts.count == 1)
        #expect(transcript.entries.count == Transcript.maximumEntries)
        #expect(transcript.droppedEntries == 300 - Transcript.maximumEntries + 1)
        #expect(transcript.entries.last?.name == "transport")
        let bytes = try JSONEncoder().encode(transcript)
        #expect(try JSONDecoder().decode(Transcript.self, from: bytes) == transcript)
        #expect(transcript.description.hasSuffix("45 entries dropped"))
    }

    @Test func `a relay names the id of the flow that sends, and none where no recorder is`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let (relay, recorder) = (RelayTransport(), TranscriptRecorder())
        let ids = Mutex<[String?]>([])
        // As in an app, the task that carries commands is none of a flow.
        let carrier = Task { [wire = stage.wire] in
            for await exchange in relay.exchanges {
                ids.withLock { $0.append(exchange.correlationID) }
                do { exchange.reply(try await wire.send(exchange.command)) } catch { exchange.fail(error) }
            }
        }
        defer { carrier.cancel() }
        _ = try await orchestrator(stage, recorder, transport: relay).user("alice").pendingApprovals()
        let transcript = try #require(recorder.transcripts.first)
        let count = transcript.entries.count { $0.kind == .exchange }
        #expect(count > 0 && ids.withLock { $0 } == Array(repeating: transcript.correlationID, count: count))
        _ = try await stage.orchestrator(transport: relay).user("alice").pendingApprovals()
        #expect(ids.withLock { $0.dropFirst(count) } == Array(repeating: nil, count: count)[...])
    }

    @Test func `a list of requests and a deletion have transcripts, with the id of their commands`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let recorder = TranscriptRecorder()
        let ids = Mutex<[String?]>([])
        let transport = SpyingTransport(base: stage.wire) {
            ids.withLock { $0.append(Transcript.currentCorrelationID) }
        }
        let app = try orchestrator(stage, recorder, transport: transport)
        _ = try await app.user("alice").pendingApprovals()
        stage.wire.cut(true)
        await #expect(throws: OrchestrationError(.transport)) { _ = try await app.user("alice").pendingApprovals() }
        await #expect(throws: OrchestrationError(.invalidUser)) { _ = try await app.user("a/b").pendingApprovals() }
        #expect(try await app.user("alice").delete().map(\.code) == [.platformNotInformed])
        await #expect(throws: OrchestrationError(.userUnknown)) { _ = try await app.user("alice").delete() }
        let failures = Array(repeating: "transport", count: Courier.sendings)
        let transcripts = recorder.transcripts
        #expect(
            transcripts.map(\.flow)
                == ["pendingApprovals", "pendingApprovals", "pendingApprovals", "deletion", "deletion"])
        #expect(
            transcripts.map { $0.entries.map(\.name) } == [
                ["answered", "succeeded"], failures + ["transport"],
                ["invalidUser: userIDCharacter"],
                failures + ["warning: platformNotInformed", "succeeded"], ["userUnknown"],
            ])
        #expect(transcripts.allSatisfy { $0.entries.last?.kind == .end })
        let expected = transcripts.flatMap { transcript in
            transcript.entries.filter { $0.kind == .exchange }.map { _ in transcript.correlationID }
        }
        #expect(ids.withLock { $0 } == expected)
        #expect(!transcripts.description.contains("alice"))
    }

    @Test func `a call that is canceled ends as canceled, and reading the users is no call`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let recorder = TranscriptRecorder()
        let transport = SpyingTransport(base: stage.wire) { throw CancellationError() }
        let app = try orchestrator(stage, recorder, transport: transport)
        await #expect(throws: CancellationError.self) { _ = try await app.user("alice").pendingApprovals() }
        _ = try await app.users.list()
        _ = try await app.user("alice").information
        #expect(recorder.transcripts.map { $0.entries.last?.name } == ["canceled"])
    }

    @Test(arguments: [
        ("reply-1", true), (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
        ("", false), ("a b", false), ("a\nb", false), ("é", false),
    ])
    func `the id of a reply is kept when it has the form of one`(id: String, isKept: Bool) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let recorder = TranscriptRecorder()
        let transport = SpyingTransport(base: stage.wire) { TranscriptRun.current?.received(replyCorrelationID: id) }
        _ = try await orchestrator(stage, recorder, transport: transport).user("alice").registerNotifications()
        let exchange = recorder.transcripts.first?.entries.first
        #expect(exchange?.replyCorrelationID == (isKept ? id : nil))
    }
}

/// A transport that calls a closure before it sends.
private struct SpyingTransport: Transport {
    let base: any Transport
    let look: @Sendable () throws -> Void

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        try look()
        return try await base.send(command)
    }
}
