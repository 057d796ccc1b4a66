import Foundation
import TestSupport

/// The built authenticator, started as a process of its own.
struct CommandLineProgram: Sendable {
    /// What a process left behind.
    struct Result: Sendable {
        let status: Int32
        let output: String
        let complaints: String

        /// The output as JSON.
        func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }
    }

    let folder: TemporaryFolder
    var name = "authenticator"

    /// Runs the program with arguments, and with open descriptors that a shell gives it.
    ///
    /// - Parameters:
    ///   - arguments: the arguments.
    ///   - descriptors: a descriptor's number, and what is read from it.
    ///   - environment: set besides those of this process.
    func run(
        _ arguments: [String], descriptors: [Int: String] = [:], environment: [String: String] = [:]
    ) async throws -> Result {
        let run = UUID().uuidString
        // Tests name 9 as a descriptor that is not open: what this process may have there is not handed down.
        var script = #"exec "$@" </dev/null 9<&-"#
        for (number, text) in descriptors {
            script += " \(number)<'\(try folder.write("\(run).\(number)", text))'"
        }
        let (output, complaints) = (self.folder.file("\(run).out"), self.folder.file("\(run).err"))
        script += " >'\(output)' 2>'\(complaints)'"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh", Self.products.appending(path: name).path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return Result(status: status, output: try Self.text(output), complaints: try Self.text(complaints))
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    }

    /// Where the build puts programs: beside the test bundle.
    private static var products: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        return (bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }
}
