import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Descriptors that the caller says to have opened.
enum OpenDescriptor {
    /// Refuses a descriptor that is not open, while the arguments are parsed.
    ///
    /// Later is too late: by then the program has opened descriptors of its own, and the number may name one of the
    /// network's, which would be read for the secret.
    static func check(_ descriptor: Int32?, option: String) throws {
        guard let descriptor, fcntl(descriptor, F_GETFD) < 0 else { return }
        throw ValidationError("descriptor \(descriptor) of \(option) is not open")
    }
}
