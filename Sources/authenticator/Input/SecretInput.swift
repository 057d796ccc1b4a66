import ArgumentParser
import Primitives

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where secrets come from: a file descriptor that the caller opened, or the terminal. Never an argument, which every
/// user of the machine can read.
enum SecretInput {
    /// The largest secret that is read.
    static let limit = 65_536

    /// Reads a secret.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor, read to its end; one line break there is not part of the secret.
    ///     Without one the user is asked at the terminal, without echo.
    ///   - prompt: what the user is asked for, for example `Key`.
    ///   - option: the option that names the descriptor, for messages.
    /// - Throws: `ValidationError` when the descriptor is not open, when there is no terminal to ask at, and when the
    ///   secret is empty or too long; `ExitCode` 3 when the user aborts.
    static func read(descriptor: Int32?, prompt: String, option: String = "--…-fd") throws -> SecretBytes {
        guard let descriptor else { return try TerminalPrompt.read(prompt, option: option) }
        let secret = try readToEnd(descriptor, option: option)
        guard !secret.isEmpty else { throw ValidationError("the secret from \(option) \(descriptor) is empty") }
        return secret
    }

    private static func readToEnd(_ descriptor: Int32, option: String) throws -> SecretBytes {
        var count = 0
        let buffer = try SecretBytes(count: limit + 2) { (buffer: inout MutableSpan<UInt8>) throws(ValidationError) in
            while count < buffer.count {
                let (start, room) = (count, buffer.count - count)
                let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe Self.read(descriptor, bytes.baseAddress, offset: start, count: room)
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

    /// `read(2)`, again when a signal interrupts it.
    @unsafe private static func read(
        _ descriptor: Int32, _ memory: UnsafeMutableRawPointer?, offset: Int, count: Int
    ) -> Int {
        guard let memory = unsafe memory else { return 0 }
        while true {
            #if canImport(Darwin)
                let result = unsafe Darwin.read(descriptor, memory + offset, count)
            #elseif canImport(Glibc)
                let result = unsafe Glibc.read(descriptor, memory + offset, count)
            #else
                let result = unsafe Musl.read(descriptor, memory + offset, count)
            #endif
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

extension SecretBytes {
    /// The first bytes, in memory of their own.
    borrowing func prefix(_ count: Int) -> SecretBytes {
        withBytes { SecretBytes(copying: $0.extracting(first: count)) }
    }
}
