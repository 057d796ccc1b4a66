import Foundation
import TestSupport
import Testing

/// A program of this package, as `swift build` built it, run as a user runs it.
struct BuiltProgram: Sendable {
    /// The result of a process.
    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String

        /// The output as a JSON object, empty when it is something else.
        var object: [String: Any] { (try? json()) as? [String: Any] ?? [:] }

        /// Returns the output as JSON.
        func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }
    }

    /// The name of the program.
    let name: String

    /// Whether the program was built. `swift build --build-tests` builds all programs.
    var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: path) }

    private var path: String { Self.products.appending(path: name).path }

    /// The folder of the products, which has the test bundle, too.
    private static let products: URL = {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return (bundle?.bundleURL ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
    }()

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - descriptors: The content of descriptors that are open in the program, by their numbers.
    ///   - environment: Variables besides those of this process.
    ///   - output: The path of standard output; `nil` for a file that the result has.
    func run(
        _ arguments: [String], descriptors: [Int: String] = [:], environment: [String: String] = [:],
        output: String? = nil
    ) async throws -> Result {
        await (try start(arguments, descriptors: descriptors, environment: environment, output: output)).result()
    }

    /// Starts the program. The parameters are those of ``run(_:descriptors:environment:output:)``.
    func start(
        _ arguments: [String], descriptors: [Int: String] = [:], environment: [String: String] = [:],
        output: String? = nil
    ) throws -> Running {
        try #require(isBuilt, "\(name) is not built")
        return try Running([path] + arguments, descriptors: descriptors, environment: environment, output: output)
    }

    /// Starts the program at a terminal of its own.
    ///
    /// - Parameter script: A script of the shell that runs the program as `"$@"`; `nil` for the program without a shell.
    func startAtTerminal(_ arguments: [String], script: String? = nil) throws -> ProgramAtTerminal {
        try #require(isBuilt, "\(name) is not built")
        let shell = script.map { ["/bin/sh", "-c", $0, "sh"] } ?? []
        return try ProgramAtTerminal(shell + [path] + arguments)
    }

    /// A process that was started. It is killed with the last reference to it.
    final class Running: Sendable {
        private let process: ChildProcess
        private let folder: TemporaryFolder
        private let statuses: AsyncStream<Int32>

        fileprivate init(
            _ command: [String], descriptors: [Int: String], environment: [String: String], output: String?
        ) throws {
            folder = try TemporaryFolder()
            // Tests name 9 as a descriptor that is not open, and this process may have one with that number.
            var script = #"exec "$@" </dev/null 9<&-"#
            for (number, text) in descriptors {
                script += " \(number)<'\(try folder.write("\(number)", text))'"
            }
            script += " >'\(try output ?? folder.write("output", ""))' 2>'\(try folder.write("errors", ""))'"
            let (statuses, status) = AsyncStream<Int32>.makeStream()
            self.statuses = statuses
            process = try ChildProcess(
                ["/bin/sh", "-c", script, "sh"] + command,
                environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
            ) { code in
                status.yield(code)
                status.finish()
            }
        }

        deinit {
            process.signal(SIGKILL)
        }

        var output: String { text("output") }
        var errors: String { text("errors") }
        var isRunning: Bool { process.isRunning }

        /// The id of the process. The shell has replaced itself by the program.
        var number: pid_t { process.number }

        /// Sends a signal. The shell has replaced itself by the program, so the program gets it.
        func signal(_ number: Int32) { process.signal(number) }

        /// Waits for the end of the process.
        func result() async -> Result {
            var status: Int32 = -1
            for await code in statuses { status = code }
            return Result(status: status, output: output, errors: errors)
        }

        /// Waits for the line with the address that a server listens on, and returns the address.
        func address() async throws -> URL {
            for _ in 0..<12_000 {
                if let line = output.split(separator: "\n").first, line.hasPrefix("listening on ") {
                    return try #require(URL(string: String(line.dropFirst("listening on ".count))))
                }
                try #require(process.isRunning, "\(errors)")
                try await Task.sleep(for: .milliseconds(50))
            }
            throw CancellationError()
        }

        private func text(_ name: String) -> String {
            (try? String(contentsOfFile: folder.file(name), encoding: .utf8)) ?? ""
        }
    }
}
