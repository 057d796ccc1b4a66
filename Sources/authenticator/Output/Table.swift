/// Rows for people: columns as wide as their widest cell, two spaces between them.
struct Table {
    private let rows: [[String]]

    /// A table with a heading.
    init(heading: [String], rows: [[String]]) {
        self.rows = [heading] + rows
    }

    /// A table of names and values.
    init(_ fields: [(name: String, value: String)]) {
        rows = fields.map { [$0.name, $0.value] }
    }

    var text: String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
            }.joined()
        }.joined(separator: "\n")
    }
}
