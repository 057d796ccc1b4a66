import ArgumentParser
import Primitives

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Asks for a line at the terminal, without showing what is typed.
///
/// The terminal gives single characters and no signals while it is asked, so that Ctrl-C comes in as a character and
/// the echo is never left off behind it.
enum TerminalPrompt {
    /// The longest line, in bytes: more than the longest key in hexadecimal.
    private static let limit = 4096

    static func read(_ prompt: String, option: String) throws -> SecretBytes {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw ValidationError("there is no terminal to ask for the secret at; give it with \(option)")
        }
        defer { close(terminal) }
        var settings = termios()
        guard unsafe tcgetattr(terminal, &settings) == 0 else {
            throw ValidationError("the terminal cannot be used; give the secret with \(option)")
        }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
            throw ValidationError("the echo of the terminal cannot be turned off; give the secret with \(option)")
        }
        defer { _ = unsafe tcsetattr(terminal, TCSAFLUSH, &settings) }
        show("\(prompt): ", on: terminal)
        defer { show("\n", on: terminal) }

        var count = 0
        let line = try SecretBytes(count: limit) { (line: inout MutableSpan<UInt8>) throws in
            try fill(&line, &count, from: terminal)
        }
        guard count > 0 else { throw ValidationError("the secret is empty") }
        return line.prefix(count)
    }

    /// Puts a line together from single keys, with the editing that the terminal would have done.
    private static func fill(_ line: inout MutableSpan<UInt8>, _ count: inout Int, from terminal: Int32) throws {
        while true {
            let key = next(from: terminal)
            switch key {
            case Key.interrupt, Key.quit, nil: throw ExitCode(3)
            case Key.endOfInput where count == 0: throw ExitCode(3)
            case Key.endOfInput, Key.newline, Key.carriageReturn: return
            case Key.killLine: count = 0
            case Key.backspace, Key.delete:
                // The bytes after the first of a UTF-8 character go with it.
                while count > 0, line[count - 1] & 0xC0 == 0x80 { count -= 1 }
                count = max(count - 1, 0)
            case let character?:
                guard count < limit else { throw ValidationError("the secret is too long") }
                line[count] = character
                count += 1
            }
        }
    }

    /// The next key, `nil` when the terminal has hung up.
    private static func next(from terminal: Int32) -> UInt8? {
        var key: UInt8 = 0
        while true {
            let count = unsafe read(terminal, &key)
            if count == 1 { return key }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    private static func show(_ text: String, on terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
    }

    @unsafe private static func read(_ terminal: Int32, _ character: UnsafeMutablePointer<UInt8>) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.read(terminal, character, 1)
        #elseif canImport(Glibc)
            unsafe Glibc.read(terminal, character, 1)
        #else
            unsafe Musl.read(terminal, character, 1)
        #endif
    }

    private enum Key {
        static let interrupt: UInt8 = 0x03
        static let endOfInput: UInt8 = 0x04
        static let backspace: UInt8 = 0x08
        static let newline: UInt8 = 0x0A
        static let carriageReturn: UInt8 = 0x0D
        static let killLine: UInt8 = 0x15
        static let quit: UInt8 = 0x1C
        static let delete: UInt8 = 0x7F
    }
}
