import CLibrary
import CommandLine
import Orchestration
import Synchronization

/// The lines of standard input, one after another.
///
/// Standard input is read only while the program waits for a line, because a password prompt at the same terminal must
/// receive its input. It is read byte by byte, to leave all bytes of the next line.
final class InputLines: Sendable {
    /// The maximum length of a line in bytes. It is longer than any command in hexadecimal digits, and longer than any
    /// line of a terminal, which the system ends earlier.
    private static let longestLine = 2 * OrchestrationCommand.maximumByteCount

    /// The bytes of an incomplete line.
    private let begun = Mutex<[UInt8]>([])

    /// Waits for the next line, without its end. Only one task waits at a time.
    ///
    /// - Returns: `nil` at the end of the input.
    /// - Throws: ``/CommandLine/ErrorReport`` with `usage` for a line that is too long; `CancellationError` when
    ///   the task is canceled. The next call continues the same line.
    func next() async throws -> String? {
        do {
            return try await BlockingRead.run { [self] in try read($0) }
        } catch let error as OrchestrationError where error.code == .inputUnavailable {
            // Standard input is closed.
            return nil
        }
    }

    private func read(_ wakeUp: WakeUp) throws -> String? {
        while true {
            try wakeUp.wait(for: 0)
            var byte: [UInt8] = [0]
            var span = byte.mutableSpan
            // A terminal that has hung up causes an error here. It is the end of the input.
            guard SystemCall.read(0, into: &span) > 0 else { return take(isEnd: true) }
            if byte[0] == UInt8(ascii: "\n") { return take(isEnd: false) }
            let count = begun.withLock { begun in
                begun.append(byte[0])
                return begun.count
            }
            guard count <= Self.longestLine else {
                throw ErrorReport(.usage, "a line of the input is longer than \(Self.longestLine) bytes")
            }
        }
    }

    /// Returns the line that was read. The last line counts even without a line end, if it contains text.
    private func take(isEnd: Bool) -> String? {
        let bytes = begun.withLock { begun in
            defer { begun = [] }
            return begun
        }
        guard !isEnd || !bytes.isEmpty else { return nil }
        return String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
