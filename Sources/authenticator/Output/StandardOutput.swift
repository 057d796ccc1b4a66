#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where results go.
enum StandardOutput {
    /// Prints a line that must be read before the program ends: a pipe is not left to fill its buffer.
    static func line(_ text: String) {
        print(text)
        _ = fflush(nil)
    }
}
