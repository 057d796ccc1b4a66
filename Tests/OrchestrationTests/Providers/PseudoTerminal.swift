import Foundation
import Synchronization
import Testing

/// A terminal whose screen and keyboard a test controls.
final class PseudoTerminal: Sendable {
    private let controller: Int32
    /// Keeps the terminal open between questions, as a shell does.
    private let holder: Int32
    let path: String

    init() throws {
        var (controller, holder): (Int32, Int32) = (-1, -1)
        // `ttyname` returns one buffer for the whole process, and other suites make terminals at the same time.
        var name = [CChar](repeating: 0, count: 128)
        guard unsafe openpty(&controller, &holder, nil, nil, nil) == 0,
            unsafe ttyname_r(holder, &name, name.count) == 0
        else { throw POSIXError(.ENXIO) }
        (self.controller, self.holder) = (controller, holder)
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        close(controller)
        close(holder)
    }

    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write(controller, $0.baseAddress, $0.count) }
    }

    /// Reads the screen until it ends with a text or the task is canceled, on a thread of its own, because tasks may
    /// share one thread.
    func screen(until end: String) async -> String {
        let isCanceled = Atomic(false)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: self.read(until: end) { !isCanceled.load(ordering: .relaxed) })
                }
            }
        } onCancel: {
            isCanceled.store(true, ordering: .relaxed)
        }
    }

    /// Waits for the answer of a question. A canceled task, such as one after the time limit of its test, types the
    /// key that cancels, so that the question ends.
    func result<R>(_ answer: Task<R, any Error>) async -> Result<R, any Error> {
        await withTaskCancellationHandler {
            await answer.result
        } onCancel: {
            type([0x03])
        }
    }

    private func read(until end: String, while goesOn: () -> Bool) -> String {
        var shown: [UInt8] = []
        while goesOn(), !shown.suffix(end.utf8.count).elementsEqual(end.utf8) {
            var waiting = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, 20) != 0 else { continue }
            var byte: UInt8 = 0
            guard unsafe Foundation.read(controller, &byte, 1) == 1 else { break }
            if byte != 0x0D { shown.append(byte) }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Whether the terminal echoes keys and edits lines, as usual.
    var isUsual: Bool {
        var settings = termios()
        _ = unsafe tcgetattr(holder, &settings)
        let flags = tcflag_t(ECHO | ICANON | ISIG)
        return settings.c_lflag & flags == flags
    }
}

@Suite(.timeLimit(.minutes(20))) struct PseudoTerminalTests {
    @Test func `terminals that are made at the same time have paths of their own`() async throws {
        try await withThrowingTaskGroup(of: PseudoTerminal.self) { group in
            for _ in 0..<8 { group.addTask { try PseudoTerminal() } }
            let terminals = try await group.reduce(into: []) { $0.append($1) }
            #expect(Set(terminals.map(\.path)).count == 8)
            for (number, terminal) in terminals.enumerated() {
                try "\(number);".write(toFile: terminal.path, atomically: false, encoding: .utf8)
                #expect(await terminal.screen(until: ";") == "\(number);")
            }
        }
    }

    @Test func `a reader of a screen that shows nothing ends when it is canceled`() async throws {
        let terminal = try PseudoTerminal()
        let reader = Task { await terminal.screen(until: ":") }
        try await Task.sleep(for: .milliseconds(50))
        reader.cancel()
        #expect(await reader.value.isEmpty)
    }
}
