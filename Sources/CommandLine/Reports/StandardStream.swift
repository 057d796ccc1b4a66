internal import CLibrary
internal import Primitives
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A standard stream of the process, written without a buffer: a script that reads a pipe receives each line
/// immediately.
package enum StandardStream: Int32, Sendable {
    /// Standard output, for results.
    case output = 1
    /// Standard error, for errors, warnings and progress.
    case error = 2

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The system's error number of the first failure to write to standard output; 0 for none.
    private static let failure = Atomic<CInt>(0)

    /// The reason why a result could not be written to standard output, such as a full disk; `nil` if all were written,
    /// and for a closed pipe.
    package static var outputFailure: String? {
        let number = failure.load(ordering: .relaxed)
        return number == 0 ? nil : SystemCall.message(of: number)
    }

    /// Writes a line. A closed stream is ignored. A command whose result is lost fails at its end.
    package func print(_ line: String) { write(line + "\n") }

    /// Writes a text, as ``print(_:)`` does.
    package func write(_ text: String) {
        guard !SystemCall.write(Array(text.utf8).span, to: rawValue), self == .output, errno != EPIPE else { return }
        _ = Self.failure.compareExchange(expected: 0, desired: errno, ordering: .relaxed)
    }

    /// Writes a value as JSON on one line, with its keys sorted.
    package func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes a value as JSON, as ``print(json:)`` does, or its text.
    package func print(
        _ value: some Encodable, asJSON: Bool, else text: @autoclosure () throws -> String
    ) throws {
        if asJSON { try print(json: value) } else { print(try text()) }
    }
}

/// Rows of text: each column is as wide as its widest cell, with two spaces between columns.
///
/// Some characters of a cell are escaped, for example as `\u{1B}`: characters that control the terminal, begin a line,
/// change the direction of writing or are not shown. A cell may contain a name that a device sent. A cell that is not
/// ASCII is in a Unicode isolate, which keeps it from reordering the cells next to it.
package struct Table {
    private let rows: [[Cell]]

    /// Creates a table from its rows. The first one may be a heading.
    package init(_ rows: [[String]]) {
        self.rows = rows.map { $0.map(Cell.init) }
    }

    /// Creates a table of names and values.
    package init(_ fields: [(name: String, value: String)]) {
        self.init(fields.map { [$0.name, $0.value] })
    }

    /// The lines of the table.
    package var text: String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.width)
            }
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1
                    ? cell.text : cell.text + String(repeating: " ", count: widths[column] - cell.width + 2)
            }.joined()
        }.joined(separator: "\n")
    }
}

/// A cell, as printed. The isolate around it has no width.
private struct Cell {
    let text: String
    let width: Int

    init(_ value: String) {
        let escaped = DisplayText.replacingRefused(in: value) {
            "\\u{" + String($0.value, radix: 16, uppercase: true) + "}"
        }
        width = escaped.count
        text = escaped.utf8.allSatisfy { $0 < 0x80 } ? escaped : DisplayText.isolated(escaped)
    }
}
