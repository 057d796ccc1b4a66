import Foundation
import Testing

/// The built `trusted-identity`, run as a user runs it.
struct BuiltProgram {
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
        }
    }

    /// Where `swift build` put it: beside the tests. Nil when only the tests were built.
    static let path: String? = {
        let folders = [
            Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
        ]
        return folders.map { $0.appendingPathComponent("trusted-identity").path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Runs it to its end.
    static func run(_ arguments: String...) async throws -> Result {
        let started = try start(arguments)
        return await started.result()
    }

    /// Starts it.
    static func start(_ arguments: [String]) throws -> Running {
        try Running(path: try #require(path), arguments: arguments)
    }

    /// A process under way.
    final class Running: @unchecked Sendable {  // SAFETY: Process is only started here and signalled by one test
        private let process = Process()
        private let folder: URL
        private let exited: AsyncStream<Int32>

        init(path: String, arguments: [String]) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("run-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in ["out", "err"] { try Data().write(to: folder.appendingPathComponent(name)) }
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: folder.appendingPathComponent("out"))
            process.standardError = try FileHandle(forWritingTo: folder.appendingPathComponent("err"))
            let (exited, exit) = AsyncStream<Int32>.makeStream()
            self.exited = exited
            process.terminationHandler = { process in
                exit.yield(process.terminationStatus)
                exit.finish()
            }
            try process.run()
        }

        deinit {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            try? FileManager.default.removeItem(at: folder)
        }

        var output: String { read("out") }
        var errors: String { read("err") }

        func signal(_ number: Int32) { kill(process.processIdentifier, number) }

        func result() async -> Result {
            var status: Int32 = -1
            for await code in exited { status = code }
            return Result(status: status, output: output, errors: errors)
        }

        /// The address that a server says it listens on, once it does.
        func address() async throws -> URL {
            for _ in 0..<200 {
                if let line = output.split(separator: "\n").first, line.hasPrefix("listening on ") {
                    return try #require(URL(string: String(line.dropFirst("listening on ".count))))
                }
                try #require(process.isRunning, "\(errors)")
                try await Task.sleep(for: .milliseconds(50))
            }
            throw CancellationError()
        }

        private func read(_ name: String) -> String {
            (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
        }
    }
}
