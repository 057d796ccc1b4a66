import Synchronization

/// Says what happens, and remembers what was checked for the table at the end.
final class Narrator: Sendable {
    private struct Finding {
        let what: String
        let value: String
    }

    private let findings = Mutex<[Finding]>([])
    private let lines = Mutex(0)

    /// Prints a line of the story, and where to look in the code.
    func say(_ line: String, see file: String? = nil) {
        let number = lines.withLock { lines in
            lines += 1
            return lines
        }
        print("\(number < 10 ? " " : "")\(number). \(line)")
        if let file { print("      see \(file)") }
    }

    /// Puts a value into the summary, and ends the story when it is not the expected one.
    func check<Value: Equatable & Sendable>(_ what: String, _ value: Value, is expected: Value) throws(Failure) {
        guard value == expected else { throw Failure("\(what): \(value), and not \(expected)") }
        findings.withLock { $0.append(Finding(what: what, value: "\(value)")) }
    }

    /// Prints the table of what was checked.
    func summarise() {
        let findings = findings.withLock { $0 }
        let width = findings.map(\.what.count).max() ?? 0
        print("\nAll of it as it should be:")
        for finding in findings {
            print("  \(finding.what)\(String(repeating: " ", count: width - finding.what.count + 2))\(finding.value)")
        }
    }

    /// Says why the story did not come to its end.
    func fail(_ error: any Error) {
        print("\ndemo: \((error as? Failure)?.reason ?? "\(error)")")
    }
}

/// The story went another way than it should.
struct Failure: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
