import Synchronization

/// The output of the demo: the lines of the story, and a table of what was checked.
final class Narrator: Sendable {
    private struct Finding {
        let what: String
        let value: String
    }

    private let findings = Mutex<[Finding]>([])
    private let lines = Mutex(0)

    /// Prints a line of the story with the source file of the code that it describes.
    func say(_ line: String, see file: String) {
        let number = lines.withLock { lines in
            lines += 1
            return lines
        }
        print("\(number < 10 ? " " : "")\(number). \(line)")
        print("      see \(file)")
    }

    /// Prints a table: a label and a text for each line.
    func show(_ rows: [(label: String, text: String)]) {
        let width = rows.map(\.label.count).max() ?? 0
        for (label, text) in rows {
            print("      | \(label)\(String(repeating: " ", count: width - label.count))  \(text)")
        }
    }

    /// Adds a value to the summary.
    ///
    /// - Throws: ``Failure`` if the value is not the expected one, which ends the story.
    func check<Value: Equatable & Sendable>(_ what: String, _ value: Value, is expected: Value) throws(Failure) {
        guard value == expected else { throw Failure("\(what): \(value) instead of \(expected)") }
        findings.withLock { $0.append(Finding(what: what, value: "\(value)")) }
    }

    /// Prints the table of what was checked.
    func summarize() {
        let findings = findings.withLock { $0 }
        let width = findings.map(\.what.count).max() ?? 0
        print("\nEvery result is as expected:")
        for finding in findings {
            print("  \(finding.what)\(String(repeating: " ", count: width - finding.what.count + 2))\(finding.value)")
        }
    }

    /// Prints the reason why the story ended early.
    func fail(_ error: any Error) {
        print("\ndemo: \((error as? Failure)?.reason ?? "\(error)")")
    }
}

/// The error of a story that does not proceed as expected.
struct Failure: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
