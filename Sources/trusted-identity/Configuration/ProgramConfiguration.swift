internal import CommandLine
internal import Foundation
internal import TrustedIdentity
internal import TrustedIdentityServer

/// The configuration of a run of the program, from its flags, its environment, and the file that either of these names.
enum ProgramConfiguration {
    /// Reads the configuration without the policy, which administration does not need.
    ///
    /// Prints each problem on a separate line, with its position.
    ///
    /// - Throws: `ErrorReport` with `usage` if there is a problem, or the file cannot be read.
    static func read(_ data: DataOption, _ server: [String: String] = [:]) throws(ErrorReport) -> EffectiveConfiguration
    {
        let environment = ProcessInfo.processInfo.environment
        var file: ConfigurationFile?
        if let path = data.config ?? environment[ConfigurationReader.fileVariable] {
            file = ConfigurationFile(path: path, text: try InputFile.text(path, limit: ConfigurationFile.maximumBytes))
        }
        let flags = data.flags.merging(server) { flag, _ in flag }
        let effective: EffectiveConfiguration
        do throws(ConfigurationError) {
            effective = try ConfigurationReader(flags: flags, environment: environment, file: file).read()
        } catch {
            for problem in error.problems { StandardStream.error.print("\(problem)") }
            // The policy file is checked in the same run, because one run reports all problems.
            if let path = error.policyFile { reportProblems(ofPolicy: path) }
            let count = error.problems.count
            throw ErrorReport(
                .usage, "the configuration has \(count == 1 ? "1 problem" : "\(count) problems")",
                hint: "trusted-identity config check, with the same flags and variables, checks it again")
        }
        #if !PostgreSQL
            guard effective.configuration.database == nil else {
                throw ErrorReport(
                    .usage, "this build has no PostgreSQL, which the setting database needs",
                    hint: "swift build --traits PostgreSQL builds the program with it")
            }
        #endif
        return effective
    }

    /// Reads the configuration with its policy.
    ///
    /// - Throws: `ErrorReport` with `usage` when there is a problem.
    static func readWithPolicy(
        _ data: DataOption, _ server: ServerOptions
    ) throws(ErrorReport) -> EffectiveConfiguration {
        var effective = try read(data, server.flags)
        if let path = effective.configuration.policyFile {
            effective.configuration.platform.policy = try PolicyCommand.policy(in: path)
        }
        return effective
    }

    private static func reportProblems(ofPolicy path: String) {
        do {
            _ = try PolicyCommand.policy(in: path)
        } catch {
            error.print(program: TrustedIdentityCommand.name)
        }
    }
}
