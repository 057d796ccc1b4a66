internal import CLibrary
internal import CommandLine
internal import Primitives
internal import TrustedIdentityServer

/// The text of a key in an environment variable or behind an open descriptor, and a password behind a descriptor.
///
/// Each can be read once: the variable is removed, and the descriptor is at its end.
enum ExternalKey {
    /// The maximum length of a key's text, in bytes.
    private static let limit = 128

    /// The maximum length of a password's text, in bytes.
    private static let passwordLimit = 1_024

    /// Reads the text of a key, or returns nil for a source that is a file.
    ///
    /// - Parameter name: The name of the key, for messages.
    static func text(of source: KeySource, name: String) throws(ErrorReport) -> SecretBytes? {
        switch source {
        case .dataFolder, .file: nil
        case .environment(let variable): try text(ofVariable: variable, name: name)
        case .descriptor(let number): try text(ofDescriptor: number, name: name, limit: limit)
        }
    }

    /// Reads a password, without the end of its line.
    ///
    /// - Parameter name: The name of the password, for messages.
    static func password(ofDescriptor number: Int32, name: String) throws(ErrorReport) -> String {
        let bytes = try text(ofDescriptor: number, name: name, limit: passwordLimit)
        // libpq takes a text, which cannot be wiped.
        let text = bytes.withBytes { span in
            let end = span[span.count - 1] == UInt8(ascii: "\n") ? span.count - 1 : span.count
            return String(validating: span.indices.prefix(end).map { span[$0] }, as: UTF8.self)
        }
        guard let text, !text.isEmpty, !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") }) else {
            throw ErrorReport(
                .storage, "descriptor \(number) holds no \(name)", hint: "pass one line of UTF-8 and nothing after it")
        }
        return text
    }

    private static func text(ofVariable variable: String, name: String) throws(ErrorReport) -> SecretBytes {
        guard let value = unsafe getenv(variable) else {
            throw ErrorReport(
                .storage, "the \(name) is missing: the variable \(variable) is not set",
                hint: "set \(variable) to the text of the key file")
        }
        let count = unsafe strlen(value)
        // The key does not stay in the environment: a process that this one starts would inherit it, and the memory of
        // the environment can be read in /proc.
        defer {
            unsafe memset(value, 0, count)
            _ = unsafe unsetenv(variable)
        }
        guard (1...limit).contains(count) else {
            throw ErrorReport(
                .storage, "the variable \(variable) holds no \(name)",
                hint: "set \(variable) to the text of the key file")
        }
        return unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: value, count: count))
    }

    private static func text(ofDescriptor number: Int32, name: String, limit: Int) throws(ErrorReport) -> SecretBytes {
        var count = 0
        let buffer = try SecretBytes(count: limit + 1) { (buffer: inout MutableSpan<UInt8>) throws(ErrorReport) in
            while count < buffer.count {
                let result = unsafe buffer.withUnsafeMutableBytes { bytes in
                    unsafe SystemCall.read(number, into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
                }
                guard result >= 0 else {
                    throw ErrorReport(
                        .storage,
                        "cannot read the \(name) from descriptor \(number): \(SystemCall.message(of: errno))",
                        hint: "open it for the program, as with \(number)<FILE in a shell")
                }
                if result == 0 { break }
                count += result
            }
        }
        // No other part of the program may read the bytes after the key, or reuse the number while it is named as a
        // key.
        if number > 2 { close(number) }
        guard (1...limit).contains(count) else {
            throw ErrorReport(
                .storage, "descriptor \(number) holds no \(name)",
                hint: "pass its text, and nothing after it")
        }
        return buffer.withBytes { SecretBytes(copying: $0.extracting(first: count)) }
    }
}
