/// A square of modules.
struct Grid: Sendable, Hashable {
    /// The number of modules of a side.
    let size: Int
    private var isDark: [Bool]

    /// Creates a square of light modules.
    init(size: Int) {
        self.size = size
        isDark = Array(repeating: false, count: size * size)
    }

    /// Whether the module of a column and a row is dark.
    subscript(column: Int, row: Int) -> Bool {
        get { isDark[row * size + column] }
        set { isDark[row * size + column] = newValue }
    }

    /// The number of dark modules.
    var darkCount: Int { isDark.count { $0 } }
}
