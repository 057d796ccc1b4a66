public import Primitives

/// One sentence that an implementation of a protocol has to make true, and the program that finds out.
///
/// A suite of checks needs no test framework: hand ``name`` to yours as the test's name and let it report what
/// ``run(_:)`` throws.
public struct ConformanceCheck<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The sentence.
    public let name: String

    private let body: @Sendable (Subject) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The sentence.
    public var description: String { name }

    /// Finds out.
    ///
    /// - Parameter subject: a fresh one that nothing else uses.
    /// - Throws: ``ConformanceFailure`` when the sentence is not true, or what the subject throws.
    public func run(_ subject: Subject) async throws { try await body(subject) }
}

/// What a ``ConformanceCheck`` found.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// What should have been.
    public let expectation: String
    /// Where in the suite.
    public let location: SourceLocation

    /// What should have been, and where in the suite.
    public var description: String { "not so: \(expectation) [\(location)]" }
}

/// Goes on when something is so.
func expect(
    _ isSo: Bool, _ expectation: String, fileID: String = #fileID, line: Int = #line
) throws(ConformanceFailure) {
    guard isSo else {
        throw ConformanceFailure(
            expectation: expectation, location: SourceLocation(fileID: fileID, line: line))
    }
}
