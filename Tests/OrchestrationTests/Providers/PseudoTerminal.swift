import Foundation

/// A terminal without a screen: what a person would see and type is read and written here.
final class PseudoTerminal: Sendable {
    private let controller: Int32
    /// Keeps the terminal open between questions, as the shell of a person does.
    private let holder: Int32
    let path: String

    init() throws {
        var (controller, holder): (Int32, Int32) = (-1, -1)
        guard unsafe openpty(&controller, &holder, nil, nil, nil) == 0, let name = unsafe ttyname(holder) else {
            throw POSIXError(.ENXIO)
        }
        (self.controller, self.holder) = (controller, holder)
        path = unsafe String(cString: name)
    }

    deinit {
        close(controller)
        close(holder)
    }

    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write(controller, $0.baseAddress, $0.count) }
    }

    /// Reads what is shown until it ends like this, and returns it. On a thread of its own: the tasks' threads may be one.
    func screen(until end: String) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.read(until: end)) }
        }
    }

    private func read(until end: String) -> String {
        var shown = ""
        while !shown.hasSuffix(end) {
            var byte: UInt8 = 0
            guard unsafe Foundation.read(controller, &byte, 1) == 1 else { break }
            if byte != 0x0D { shown.append(Character(Unicode.Scalar(byte))) }
        }
        return shown
    }

    /// Whether the terminal shows what is typed and edits lines, as it does for everybody else.
    var isUsual: Bool {
        var settings = termios()
        _ = unsafe tcgetattr(holder, &settings)
        let flags = tcflag_t(ECHO | ICANON | ISIG)
        return settings.c_lflag & flags == flags
    }
}
