import Foundation
import Synchronization
import TestSupport
import Testing

/// A program at a terminal of its own, which a test reads and types at. The program is killed with the last reference.
final class ProgramAtTerminal: Sendable {
    private struct Screen {
        var bytes: [UInt8] = []
        /// How many bytes were waited for already.
        var place = 0
        var isClosed = false
    }

    private let descriptor: Int32
    private let process: ChildProcess
    private let statuses: AsyncStream<Int32>
    private let screen: Mutex<Screen>

    init(_ command: [String]) throws {
        var (controller, holder): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard unsafe openpty(&controller, &holder, nil, nil, nil) == 0,
            unsafe ttyname_r(holder, &name, name.count) == 0
        else { throw POSIXError(.ENXIO) }
        descriptor = controller
        // The terminal ends with the last descriptor of it.
        defer { close(holder) }
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let (statuses, status) = AsyncStream<Int32>.makeStream()
        self.statuses = statuses
        screen = Mutex(Screen())
        process = try ChildProcess(
            command, environment: ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }, terminal: path
        ) { code in
            status.yield(code)
            status.finish()
        }
        Thread.detachNewThread { [weak self, descriptor] in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = unsafe read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                // Linux reports the end of the last program at a terminal as an error.
                guard let self, count > 0 else { break }
                self.screen.withLock { $0.bytes += buffer[..<count] }
            }
            self?.screen.withLock { $0.isClosed = true }
            close(descriptor)
        }
    }

    deinit { process.signal(SIGKILL) }

    /// Everything that was shown, with what controls the terminal.
    var output: String { screen.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// Types a text. A line ends with a line feed.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(descriptor, bytes, bytes.count)
    }

    /// Sends a signal to the process.
    func signal(_ number: Int32) { process.signal(number) }

    /// Waits until a text is shown after the one that was waited for before.
    ///
    /// - Returns: What was shown up to the end of the text.
    @discardableResult func wait(for text: String) async throws -> String {
        let wanted = Array(text.utf8)
        for _ in 0..<30_000 {
            let shown: String? = screen.withLock { screen in
                guard let range = screen.bytes[screen.place...].firstRange(of: wanted) else { return nil }
                defer { screen.place = range.upperBound }
                return String(decoding: screen.bytes[screen.place..<range.upperBound], as: UTF8.self)
            }
            if let shown { return shown }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("the terminal does not show \(text.debugDescription), but \(output.debugDescription)")
        throw CancellationError()
    }

    /// Waits for the end of the process and of what it has shown.
    func status() async throws -> Int32 {
        var status: Int32 = -1
        for await code in statuses { status = code }
        while !screen.withLock(\.isClosed) { try await Task.sleep(for: .milliseconds(5)) }
        return status
    }
}
