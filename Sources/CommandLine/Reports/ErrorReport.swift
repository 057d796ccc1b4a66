internal import ArgumentParser
internal import Primitives

/// An error in the form that a command-line program prints: the fault, the advice, and the exit code.
package struct ErrorReport: Error {
    package let status: ExitStatus
    package let message: String
    private let hint: String?
    private let code: String?

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - status: The exit code of the program.
    ///   - message: The fault, in lower case and without a full stop.
    ///   - hint: The advice, where it is known.
    ///   - code: The code of the error, for support.
    package init(_ status: ExitStatus, _ message: String, hint: String? = nil, code: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
        self.code = code
    }

    /// Creates a report from a text for users. Its first sentence is the message, and the others are the hint.
    ///
    /// - Parameters:
    ///   - status: The exit code of the program.
    ///   - text: The text for users.
    ///   - reason: Details of the first sentence, for developers.
    ///   - code: The code of the error, for support.
    package init(_ status: ExitStatus, text: String, reason: String? = nil, code: String? = nil) {
        let sentences = text.split(separator: ". ", maxSplits: 1)
        let message = sentences.first.map(Self.droppingFullStop) ?? text
        self.init(
            status, message + (reason.map { ": \($0)" } ?? ""),
            hint: sentences.dropFirst().first.map { Self.lowercasingFirstLetter(Self.droppingFullStop($0)) },
            code: code)
    }

    /// Creates the report of wrong usage, or returns `nil` if the argument parser did not find the error.
    init?(parsing error: any Error, in arguments: [String], for root: (some ParsableCommand).Type) {
        guard root.exitCode(for: error) == .validationFailure else { return nil }
        // The first line is "Error: …", the last one names the help command. The usage is between them.
        let lines = root.fullMessage(for: error).split(separator: "\n")
        let first = lines.first.map { $0.hasPrefix("Error: ") ? $0.dropFirst(7) : $0 } ?? "wrong usage"
        let last = lines.last?.drop { $0 == " " } ?? ""
        let help = last.hasPrefix("See ") ? Self.lowercasingFirstLetter(String(last)) : nil
        if let (word, known) = Self.unknownCommand(in: arguments, of: root, refusedWith: first) {
            let near = SimilarWord.nearest(to: word, in: known).map { "did you mean '\($0)'?" }
            self.init(.usage, "unknown command '\(word)'", hint: near ?? help)
        } else {
            self.init(.usage, String(first), hint: help)
        }
    }

    /// Prints the program's name with the message, and the hint and the code on separate lines, to standard error.
    package func print(program: String) {
        StandardStream.error.print("\(program): \(Self.lowercasingFirstLetter(message))")
        if let hint { StandardStream.error.print("hint: \(hint)") }
        if let code { StandardStream.error.print("code: \(code)") }
    }

    /// Returns the argument in the position of a subcommand that is not one, with the subcommands that are known there.
    /// The parser reports the first unknown option instead, which may belong to the intended subcommand.
    private static func unknownCommand(
        in arguments: [String], of root: any ParsableCommand.Type, refusedWith message: Substring
    ) -> (word: String, known: [String])? {
        var command = root
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                // It may be an argument of the default subcommand.
                let hasDefault = command.configuration.defaultSubcommand != nil
                guard !hasDefault || message.contains("'\(word)'") else { return nil }
                return (word, subcommands.map { $0._commandName })
            }
            command = next
        }
        return nil
    }

    private static func droppingFullStop(_ text: Substring) -> String {
        String(text.last == "." ? text.dropLast() : text)
    }

    private static func lowercasingFirstLetter(_ text: String) -> String {
        text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// The exit code of a program. Scripts rely on the numbers, so they never change.
///
/// Both programs share the numbers below; each defines its own codes 4 and 5.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The command succeeded.
    package static let done = Self(rawValue: 0)
    /// The command failed for a reason without a specific code.
    package static let failed = Self(rawValue: 1)
    /// The arguments or the input are wrong.
    package static let usage = Self(rawValue: 2)
    /// The platform or the user refused.
    package static let refused = Self(rawValue: 3)
    /// The stored data cannot be used.
    package static let storage = Self(rawValue: 6)
}
