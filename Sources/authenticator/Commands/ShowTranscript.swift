import ArgumentParser
import CLibrary
import CommandLine
import Orchestration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `transcript FILE`.
struct ShowTranscript: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcript", abstract: "Show the transcripts of flows that --transcript has written.",
        discussion: "A transcript has steps, sizes, times and codes. It has no names, no secrets and no payloads.")

    @Argument(help: "A file with one transcript as JSON on each line.")
    var file: String

    @Flag(help: "Print JSON on one line.")
    var json = false

    func run() throws {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ErrorReport(.failed, "the file '\(file)' cannot be read")
        }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var transcripts: [Transcript] = []
        for (number, line) in lines.enumerated() where !line.isEmpty {
            guard let transcript = try? JSONDecoder().decode(Transcript.self, from: Data(line)) else {
                throw ErrorReport(.failed, "line \(number + 1) of '\(file)' is not a transcript")
            }
            transcripts.append(transcript)
        }
        guard !json else { return try StandardStream.output.print(json: transcripts) }
        for transcript in transcripts { StandardStream.output.print(transcript.table) }
    }
}

extension Transcript {
    /// A table with a heading, and a row for each entry. The table escapes the texts, because they come from a file.
    fileprivate var table: String {
        let heading = Table([
            ("flow", flow), ("correlation id", correlationID), ("started", startedAt.formatted(.iso8601)),
        ])
        let titles = ["SECONDS", "KIND", "NAME", "SENT", "RECEIVED", "MS", "REPLY ID"]
        let dropped = droppedEntries > 0 ? "\n\(droppedEntries) entries dropped" : ""
        return "\(heading.text)\n\(Table([titles] + entries.map(\.cells)).text)\(dropped)\n"
    }
}

/// A file to which transcripts are appended, each as JSON on a line.
struct TranscriptFile: Sendable {
    private let descriptor: Int32

    /// Opens or creates the file before anything is sent. It stays open until the program ends.
    ///
    /// - Throws: ``ErrorReport`` when it cannot be written, is a link, or belongs to another user.
    init(path: String) throws {
        descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        var status = stat()
        guard unsafe descriptor >= 0 && fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid()
        else {
            throw ErrorReport(
                .usage, "the file '\(path)' of --transcript is not a file of this user that can be written",
                hint: "name another file")
        }
    }

    /// A recorder that appends each transcript after its flow ends.
    var recorder: TranscriptRecorder {
        TranscriptRecorder(capacity: 0) { [descriptor] transcript in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let line = try? encoder.encode(transcript) else { return }
            _ = SystemCall.write((Array(line) + [UInt8(ascii: "\n")]).span, to: descriptor)
        }
    }
}
