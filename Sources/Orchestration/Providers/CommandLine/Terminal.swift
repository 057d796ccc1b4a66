internal import CLibrary
internal import Primitives

/// A terminal that has been opened for one question. What was typed before is discarded. Nothing that is typed is shown
/// until this value is released; the settings are then restored.
struct Terminal: ~Copyable {
    private let descriptor: FileDescriptor
    private let settings: termios

    /// Opens a terminal and turns its echo off.
    init(path: String) throws(OrchestrationError) {
        do throws(SystemFailure) {
            let descriptor = try FileDescriptor("open", unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
            var settings = termios()
            guard unsafe tcgetattr(descriptor.number, &settings) == 0 else { throw SystemFailure("tcgetattr", errno) }
            var silent = settings
            // The system's line editor would keep the secret, so it is off. The signal keys arrive as bytes and cancel.
            silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
            guard unsafe tcsetattr(descriptor.number, TCSAFLUSH, &silent) == 0 else {
                throw SystemFailure("tcsetattr", errno)
            }
            self.descriptor = descriptor
            self.settings = settings
        } catch {
            throw OrchestrationError(.inputUnavailable, underlying: error)
        }
    }

    deinit {
        var settings = settings
        _ = unsafe tcsetattr(descriptor.number, TCSAFLUSH, &settings)
    }

    /// Whether there is a terminal at this path.
    static func exists(path: String) -> Bool {
        guard let descriptor = try? FileDescriptor("open", unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)) else {
            return false
        }
        return isatty(descriptor.number) == 1
    }

    /// Shows a text.
    func show(_ text: String) throws(OrchestrationError) {
        do { try descriptor.writeAll(Array(text.utf8)) } catch {
            throw OrchestrationError(.inputUnavailable, underlying: error)
        }
    }

    /// Shows a question and reads a line that is not shown. After a line that is too long it asks again.
    ///
    /// - Parameter limit: The greatest length of a line, in bytes.
    /// - Throws: ``UserAuthenticationError/aborted`` for a key that cancels and at the end of the terminal,
    ///   `inputUnavailable`, `CancellationError`.
    func ask(_ question: String, _ wakeUp: WakeUp, limit: Int = SecretLine.limit) throws -> SecretBytes {
        while true {
            try show(question)
            defer { try? show("\n") }
            do {
                return try SecretLine.read(from: descriptor.number, keys: true, limit: limit, wakeUp: wakeUp)
            } catch let error as OrchestrationError where error.code == .inputTooLong {
                try show("\nThe input is longer than \(limit) bytes.")
            }
        }
    }

    /// Reads one key.
    ///
    /// - Parameter isEmpty: Whether nothing is entered, so that the key for the end of the input cancels.
    /// - Throws: ``UserAuthenticationError/aborted`` for a key that cancels and at the end of the terminal,
    ///   `inputUnavailable`, `CancellationError`.
    func readKey(_ wakeUp: WakeUp, isEmpty: Bool) throws -> UInt8 {
        guard let byte = try SecretLine.next(from: descriptor.number, wakeUp: wakeUp, keys: true, isEmpty: isEmpty)
        else { throw UserAuthenticationError.aborted }
        return byte
    }
}
