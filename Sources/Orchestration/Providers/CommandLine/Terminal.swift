internal import CLibrary
internal import Primitives
internal import Synchronization

/// A terminal that was opened for one question. Input that was typed before is discarded. Typed input is not shown
/// until this value is released; the settings are then restored. They are also restored when a signal ends the process.
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
            EchoRestoration.begin(descriptor.number)
            guard unsafe tcsetattr(descriptor.number, TCSAFLUSH, &silent) == 0 else {
                let number = errno
                EchoRestoration.end()
                throw SystemFailure("tcsetattr", number)
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
        EchoRestoration.end()
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
    /// - Parameter limit: The maximum length of a line, in bytes.
    /// - Throws: ``UserAuthenticationError/aborted`` for a key that cancels and at the end of the terminal,
    ///   `inputUnavailable`, `CancellationError`.
    func ask(_ question: String, _ wakeUp: WakeUp, limit: Int = SecretLine.limit) throws -> SecretBytes {
        while true {
            try show(question)
            defer { try? show("\n") }
            do {
                return try SecretLine.read(from: descriptor.number, keys: true, limit: limit, wakeUp: wakeUp)
            } catch let error as OrchestrationError where error.code == .invalidInput {
                try show("\nThe input is longer than \(limit) bytes.")
            }
        }
    }

    /// Reads one key.
    ///
    /// - Parameter isEmpty: Whether nothing is entered. The key for the end of the input then cancels.
    /// - Throws: ``UserAuthenticationError/aborted`` for a key that cancels and at the end of the terminal,
    ///   `inputUnavailable`, `CancellationError`.
    func readKey(_ wakeUp: WakeUp, isEmpty: Bool) throws -> UInt8 {
        guard let byte = try SecretLine.next(from: descriptor.number, wakeUp: wakeUp, keys: true, isEmpty: isEmpty)
        else { throw UserAuthenticationError.aborted }
        return byte
    }
}

/// The restoration of the terminal when SIGHUP, SIGINT or SIGTERM ends the process during a question.
private enum EchoRestoration {
    /// The terminal of the question, with its usual settings; `nil` without a question.
    private static let terminal = Mutex<(descriptor: Int32, settings: termios)?>(nil)

    /// Begins the restoration. Call it before the echo is turned off.
    static func begin(_ descriptor: Int32) {
        terminal.withLock { terminal in
            var settings = termios()
            guard unsafe tcgetattr(descriptor, &settings) == 0 else { return }
            terminal = (descriptor, settings)
        }
        // The handlers are installed after the first use of the lock, because a handler must not create it.
        _ = handlers
    }

    /// Ends the restoration. Call it after the settings were restored, and before the descriptor is closed.
    static func end() {
        terminal.withLock { $0 = nil }
    }

    /// The handlers of the signals, which stay after the first question. A program that handles or ignores a signal
    /// continues to do so.
    private static let handlers: Void = {
        let handler: @convention(c) (CInt) -> Void = { number in
            EchoRestoration.restore()
            // The signal then has its usual effect. It does not end the first process of a container.
            guard getpid() != 1 else { _exit(128 + number) }
            _ = signal(number, SIG_DFL)
            _ = kill(getpid(), number)
        }
        for number in [SIGHUP, SIGINT, SIGTERM] {
            var previous = sigaction()
            _ = unsafe sigaction(number, nil, &previous)
            if signal(number, handler) != nil { _ = unsafe sigaction(number, &previous, nil) }
        }
    }()

    /// Restores the settings. It runs in a signal handler, which may only attempt to take a lock and make calls that
    /// are safe for signals. The lock is taken only while the echo is on.
    private static func restore() {
        _ = terminal.withLockIfAvailable { terminal in
            // While the process runs in the background, the terminal belongs to another one, and the call would stop it.
            guard let terminal, tcgetpgrp(terminal.descriptor) == getpgrp() else { return }
            var settings = terminal.settings
            // The shell must not execute the typed input.
            _ = tcflush(terminal.descriptor, TCIFLUSH)
            _ = unsafe tcsetattr(terminal.descriptor, TCSANOW, &settings)
        }
    }
}
