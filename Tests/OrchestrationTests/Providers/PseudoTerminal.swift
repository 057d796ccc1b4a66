import Foundation

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

    /// Reads the screen until it ends with a text, on a thread of its own, because tasks may share one thread.
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

    /// Whether the terminal echoes keys and edits lines, as usual.
    var isUsual: Bool {
        var settings = termios()
        _ = unsafe tcgetattr(holder, &settings)
        let flags = tcflag_t(ECHO | ICANON | ISIG)
        return settings.c_lflag & flags == flags
    }
}
