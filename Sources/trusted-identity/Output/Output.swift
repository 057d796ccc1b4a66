#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What the program says, without a buffer: a script that reads a pipe sees a line when it is written.
enum Output {
    /// A line on standard output.
    static func line(_ text: String) { put(text, on: 1) }

    /// A value as JSON, on one line of standard output.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A line on standard error.
    static func complaint(_ text: String) { put(text, on: 2) }

    private static func put(_ text: String, on descriptor: CInt) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
