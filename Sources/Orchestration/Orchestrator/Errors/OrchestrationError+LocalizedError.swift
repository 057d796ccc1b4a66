#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// For logs and tools that show an error unchanged. Users get `userMessage(in:)`.
extension OrchestrationError: LocalizedError {
    /// The fault, as a sentence with a capital letter and a full stop.
    public var errorDescription: String? { Self.sentence(parts.problem) }

    /// The recovery, as a sentence; `nil` for an error whose message does not contain a recovery.
    public var recoverySuggestion: String? { parts.remedy.map(Self.sentence) }

    /// A message states what is wrong and, after a semicolon, what to do.
    private var parts: (problem: Substring, remedy: Substring?) {
        let parts = message.split(separator: "; ", maxSplits: 1)
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    private static func sentence(_ text: Substring) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
