public import Primitives

/// A sentence that must be true for each implementation of a protocol, and the code that checks it.
///
/// A check needs no test framework. Use ``name`` as the name of a test and report what ``run(_:)`` throws.
public struct ConformanceCheck<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The sentence.
    public let name: String

    private let body: @Sendable (Subject) async throws -> Void

    package init(_ name: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The sentence.
    public var description: String { name }

    /// Runs the check.
    ///
    /// - Parameter subject: A new implementation that is not used elsewhere.
    /// - Throws: ``ConformanceFailure`` when the sentence is not true, or an error of the subject.
    public func run(_ subject: Subject) async throws { try await body(subject) }
}

/// The failure of a ``ConformanceCheck``.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The expectation that did not hold.
    public let expectation: String
    /// The place in the suite.
    public let location: SourceLocation

    /// The expectation and the place in the suite.
    public var description: String { "expected: \(expectation) [\(location)]" }
}

/// Throws unless a condition holds.
package func expect(
    _ condition: Bool, _ expectation: String, fileID: String = #fileID, line: Int = #line
) throws(ConformanceFailure) {
    guard condition else {
        throw ConformanceFailure(
            expectation: expectation, location: SourceLocation(fileID: fileID, line: line))
    }
}
