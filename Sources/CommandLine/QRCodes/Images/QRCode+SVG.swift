extension QRCode {
    /// Returns the code as an SVG image (SVG 1.1), with its border.
    ///
    /// - Parameter colors: The colors.
    package func svg(_ colors: ImageColors = .light) -> String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            for run in runs(ofRow: row) {
                path += "M\(run.lowerBound + Self.quietZone) \(row + Self.quietZone)h\(run.count)v1h-\(run.count)z"
            }
        }
        let (foreground, background) = colors == .light ? ("#000", "#fff") : ("#fff", "#000")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" viewBox="0 0 \(side) \(side)" \
            shape-rendering="crispEdges"><path fill="\(background)" d="M0 0h\(side)v\(side)h-\(side)z"/>\
            <path fill="\(foreground)" d="\(path)"/></svg>

            """
    }

    /// Returns the ranges of columns with dark modules.
    private func runs(ofRow row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<size where self[column, row] {
            if let last = runs.last, last.upperBound == column {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        return runs
    }
}
