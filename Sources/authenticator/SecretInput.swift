import ArgumentParser
import CLibrary
import CommandLine
import Orchestration
import Primitives

/// Secrets from an open file descriptor or from the terminal. They are never arguments, because every user of the
/// machine can read the arguments of a process.
enum SecretInput {
    /// The maximum length of a secret from a descriptor, in bytes.
    private static let limit = 65_536

    /// The maximum length of a line from the terminal, in bytes: more than the longest key in hexadecimal.
    static let lineLimit = 4096

    /// Refuses a descriptor that is not open. Call this while arguments are parsed.
    ///
    /// Later, the program has opened its own descriptors. The number could then refer to one of its connections, and
    /// the secret would be read from that connection.
    ///
    /// - Throws: `ValidationError`.
    static func checkIsOpen(_ descriptor: Int32?, option: String) throws {
        guard let descriptor, fcntl(descriptor, F_GETFD) < 0 else { return }
        throw ValidationError("descriptor \(descriptor) of \(option) is not open")
    }

    /// Reads a secret.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor, which is read to its end. One line break at the end is not part of the
    ///     secret. With nil, the program asks at the terminal, without echo.
    ///   - prompt: The name of the secret, for example `Key`.
    ///   - option: The option that names the descriptor, for messages.
    ///   - lineLimit: The maximum length of a line at the terminal, in bytes. After a longer one, the program asks
    ///     again.
    /// - Throws: `ValidationError` when the descriptor cannot be read, when there is no terminal, when the secret is
    ///   empty, and when a secret from a descriptor is too long; ``ErrorReport`` with `refused` when the user aborts.
    static func read(
        descriptor: Int32?, prompt: String, option: String, lineLimit: Int = SecretInput.lineLimit
    ) throws -> SecretBytes {
        guard let descriptor else { return try readLine(prompt: prompt, option: option, limit: lineLimit) }
        let secret = try readToEnd(descriptor, option: option)
        guard !secret.isEmpty else { throw ValidationError("the secret from \(option) \(descriptor) is empty") }
        return secret
    }

    private static func readLine(prompt: String, option: String, limit: Int) throws -> SecretBytes {
        do {
            let line = try TerminalQuestion.ask("\(prompt): ", limit: limit)
            guard !line.isEmpty else { throw ValidationError("the secret is empty") }
            return line
        } catch is UserAuthenticationError {
            throw ErrorReport(OrchestrationError(.canceled))
        } catch is OrchestrationError {
            throw ValidationError("there is no terminal to ask for the secret; give it with \(option)")
        }
    }

    private static func readToEnd(_ descriptor: Int32, option: String) throws -> SecretBytes {
        var count = 0
        let buffer = try SecretBytes(count: limit + 2) { (buffer: inout MutableSpan<UInt8>) throws(ValidationError) in
            while count < buffer.count {
                let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
                }
                if result == 0 { break }
                guard result > 0 else {
                    throw ValidationError(
                        errno == EBADF
                            ? "descriptor \(descriptor) of \(option) is not open"
                            : "descriptor \(descriptor) of \(option) cannot be read")
                }
                count += result
            }
        }
        if count > 0, buffer.withBytes({ $0[count - 1] == UInt8(ascii: "\n") }) {
            count -= 1
            if count > 0, buffer.withBytes({ $0[count - 1] == UInt8(ascii: "\r") }) { count -= 1 }
        }
        guard count <= limit else { throw ValidationError("the secret from \(option) \(descriptor) is too long") }
        return buffer.prefix(count)
    }
}

extension SecretBytes {
    /// Returns a copy of the first bytes.
    fileprivate borrowing func prefix(_ count: Int) -> SecretBytes {
        withBytes { SecretBytes(copying: $0.extracting(first: count)) }
    }
}
