internal import Dispatch
package import Foundation
internal import Synchronization

/// A process that was started and is waited for on a thread of its own.
///
/// `Process` of Foundation cannot be used for programs that inherit descriptors by number. A child of it holds a
/// socket, and it takes the child as ended when the socket is closed. The redirections of a shell may close it, because
/// any number can be that of the socket. All waiting then stops until that child ends.
package final class ChildProcess: Sendable {
    /// The id of the process.
    package let number: pid_t
    private let running = Mutex(true)

    // `POSIX_SPAWN_SETSID`, which the headers of Linux hide from Swift.
    #if canImport(Darwin)
        private static let newSession = POSIX_SPAWN_SETSID
    #else
        private static let newSession: Int32 = 0x80
    #endif

    /// Starts a program with no descriptors beside the standard ones.
    ///
    /// - Parameters:
    ///   - command: The path of the program, and its arguments.
    ///   - terminal: The path of a terminal that is not in use. The process leads a session of its own at it.
    ///   - ended: Is called once, with the exit status, or with 128 and the number of the signal that ended the
    ///     process, as in a shell.
    /// - Throws: `POSIXError` when the process cannot be started.
    package init(
        _ command: [String], environment: [String: String], terminal: String? = nil,
        ended: @escaping @Sendable (Int32) -> Void
    ) throws {
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        // Threads of Dispatch block signals, and a child inherits the mask of the thread that starts it.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        // A session of its own has no terminal, also where the tests run at one. A program would ask the person there.
        var flags = POSIX_SPAWN_SETSIGMASK | Self.newSession
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            // Closing a number that is not open is no error here. Numbers are given out from the lowest.
            for descriptor in 3..<min(getdtablesize(), 4_096) {
                unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif
        if let terminal {
            // The first terminal that the leader of a session opens controls the session.
            unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
            for descriptor: Int32 in 1...2 { unsafe posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
        }
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var number: pid_t = 0
        let code = unsafe posix_spawn(&number, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOEXEC) }
        self.number = number
        Thread.detachNewThread { ended(self.wait()) }
    }

    /// Runs a program to its end.
    ///
    /// - Parameter output: The path of a file that gets the output and the errors of the program.
    /// - Returns: The exit status.
    package static func run(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, output: String
    ) throws -> Int32 {
        let ended = DispatchSemaphore(value: 0)
        let status = Mutex<Int32>(-1)
        _ = try start(command, environment: environment, output: output) { code in
            status.withLock { $0 = code }
            ended.signal()
        }
        ended.wait()
        return status.withLock { $0 }
    }

    /// Starts a program whose output and errors are appended to a file.
    package static func start(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, output: String,
        ended: @escaping @Sendable (Int32) -> Void
    ) throws -> ChildProcess {
        try ChildProcess(
            ["/bin/sh", "-c", #"exec "$@" </dev/null >>"$0" 2>&1"#, output] + command, environment: environment,
            ended: ended)
    }

    /// Whether the process has not ended.
    package var isRunning: Bool { running.withLock { $0 } }

    /// Sends a signal, if the process has not ended.
    package func signal(_ code: Int32) {
        running.withLock { if $0 { kill(number, code) } }
    }

    private func wait() -> Int32 {
        // The number stays in use until the process is reaped, so that no signal goes to another one.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return running.withLock { running in
            var status: Int32 = 0
            unsafe waitpid(number, &status, 0)
            running = false
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        }
    }
}
