extension QRCode {
    /// The colors of a terminal.
    package enum TerminalColors: String, Sendable, Hashable, CaseIterable {
        /// Dark text on a light background: dark modules are drawn.
        case light
        /// Light text on a dark background: light modules are drawn.
        case dark
        /// Colors that the code sets itself (ECMA-48, SGR): black on white.
        case own
    }

    /// Returns the code for a terminal, two rows of modules to a line, with its border.
    ///
    /// - Parameter colors: The colors of the terminal.
    package func terminalText(_ colors: TerminalColors) -> String {
        let places = -Self.quietZone..<size + Self.quietZone
        var text = ""
        for row in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
            if colors == .own { text += "\u{1B}[30;107m" }
            for column in places {
                let (upper, lower) = (self[column, row], self[column, row + 1])
                let isDrawn = colors == .dark ? (!upper, !lower) : (upper, lower)
                switch isDrawn {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            if colors == .own { text += "\u{1B}[0m" }
            text += "\n"
        }
        return text
    }
}
