import Foundation
import Orchestration
import TestSupport
import Testing
import TrustedIdentity

/// Secrets do not appear in logs, errors, files or messages.
@Suite struct CanaryTests {
    @Test func `no secret is in logs, errors, events, files, the database or on the wire`() async throws {
        var story = try await CanaryStory()
        try await story.live()
        let canaries = story.canaries
        #expect(story.book.count > 20)
        #expect(canaries.found(in: story.book.text) == [])
        // No name either: a log does not show who logs in.
        #expect(!story.book.text.contains(CanaryStory.user))
        #expect(story.printed.count > 60)
        for text in story.printed { #expect(canaries.found(in: text) == [], "\(text.prefix(200))") }
        // The transcripts of all flows, in each form, also of those that failed. They have no name either.
        let transcripts = story.recorder.transcripts
        #expect(transcripts.count > 20)
        #expect(transcripts.contains { $0.entries.last?.name.hasPrefix("transport") == true })
        for transcript in transcripts {
            let coded = String(decoding: try JSONEncoder().encode(transcript), as: UTF8.self)
            for text in [Printed.text(transcript), coded] {
                #expect(canaries.found(in: text) == [], "\(text.prefix(200))")
                #expect(!text.contains(CanaryStory.user) && !text.contains("canary"))
            }
        }
        #expect(!story.transport.errors.isEmpty)
        for error in story.transport.errors { #expect(canaries.found(in: Printed.text(error)) == []) }
        #expect(canaries.found(in: Printed.text(story.platform)) == [])
        #expect(story.transport.wire.count > 10_000)
        #expect(canaries.found(in: story.transport.wire) == [])
        // While it is open, with its journal, and after it was closed.
        try expectNothing(of: canaries, in: story.folder.file("platform"), atLeast: 40_000)
        try await story.database.close()
        try expectNothing(of: canaries, in: story.folder.file("platform"), atLeast: 40_000)
        try expectNothing(of: canaries, in: story.folder.file("device"), atLeast: 500)
    }

    @Test func `every canary is detected in each of its forms`() async throws {
        var canaries = Canaries()
        canaries.add("text", text: CanaryStory.password)
        canaries.add("bytes", bytes: Array(200..<232))
        #expect(canaries.forms.count == 12)
        for form in canaries.forms {
            #expect(canaries.found(in: Data([1, 2, 3]) + form.bytes + Data([4])).contains(form.name))
            var damaged = form.bytes
            damaged[damaged.startIndex + 2] ^= 1
            #expect(!canaries.found(in: damaged).contains(form.name))
        }
        struct Careless { let bytes = Array(UInt8(200)..<232); let text = CanaryStory.password }
        #expect(canaries.found(in: Printed.text(Careless())) == ["text", "bytes"])
        #expect(canaries.found(in: Printed.text([Careless()] as [Any])) == ["text", "bytes"])
    }

    private func expectNothing(of canaries: Canaries, in folder: String, atLeast count: Int) throws {
        var total = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
            total += data.count
            #expect(canaries.found(in: data) == [], "\(name)")
            #expect(canaries.found(in: name) == [])
        }
        #expect(total > count)
    }
}
