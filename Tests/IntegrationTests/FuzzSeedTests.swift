import Foundation
import TestSupport
import Testing

/// The seeds of the fuzz target and the inputs that once broke a decoder, replayed without the fuzzer.
@Suite struct FuzzSeedTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Corpus").path

    private let folder: TemporaryFolder
    private let program = BuiltProgram(name: "fuzz")

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `every decoder handles the seeds, and accepts one of its own`() async throws {
        let result = try await program.run([Self.corpus])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(" decoders, "))
    }

    @Test func `a decoder without a seed, and seeds without a decoder, are errors`() async throws {
        let empty = folder.file("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        let missing = try await program.run([empty])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("no seed is accepted by account-name, activation-answer, "))
        try FileManager.default.createDirectory(atPath: empty + "/cobol", withIntermediateDirectories: true)
        let unknown = try await program.run([empty])
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("cobol"))
    }
}
