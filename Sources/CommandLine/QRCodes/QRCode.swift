/// A QR code, model 2 (ISO/IEC 18004), versions 1 to 40.
///
/// The text is encoded in the most compact of three modes: digits, the alphanumeric characters of the standard (as in
/// Base45, RFC 9285), or UTF-8. UTF-8 has no designator here, because readers recognize it without one and many do not
/// know the designator. The mask is the one with the lowest penalty according to the standard.
package struct QRCode: Sendable, Hashable {
    /// The share of a symbol that may be unreadable.
    package enum Correction: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// About 7 percent.
        case low
        /// About 15 percent.
        case medium
        /// About 25 percent.
        case quartile
        /// About 30 percent.
        case high

        package static func < (a: Correction, b: Correction) -> Bool { a.rawValue < b.rawValue }
    }

    /// The version, 1 to 40. It determines the size.
    package let version: Int

    /// The share that may be unreadable.
    package let correction: Correction

    /// The number of the mask, 0 to 7.
    package let mask: Int

    /// Whether each module is dark, by rows.
    var modules: Grid

    /// The width of the light border that a reader needs, in modules.
    package static let quietZone = 4

    /// The number of modules of a side, without the border: 21 to 177.
    package var size: Int { modules.size }

    /// Creates the smallest code that fits a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - correction: The share that may be unreadable.
    ///   - least: The minimum version, 1 to 40.
    /// - Throws: ``QRCodeError`` when the text does not fit into version 40.
    package init(_ text: String, correction: Correction = .medium, version least: Int = 1) throws(QRCodeError) {
        precondition((1...40).contains(least))
        let content = SymbolContent(text)
        for version in least...40 {
            let plan = SymbolPlan(version: version, correction: correction)
            guard let data = content.codewords(in: plan) else { continue }
            let symbol = SymbolTemplate(version: version).filled(with: plan.interleaved(data))
            (modules, mask) = symbol.masked(for: correction)
            self.version = version
            self.correction = correction
            return
        }
        throw QRCodeError(limit: content.limit(at: correction))
    }

    /// Whether the module of a column and a row is dark. The border is light.
    package subscript(column: Int, row: Int) -> Bool {
        (0..<size).contains(column) && (0..<size).contains(row) && modules[column, row]
    }
}

/// The error for a text that is too long for a QR code.
package struct QRCodeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of characters of this kind (digits, alphanumeric characters, or bytes of UTF-8) that fit.
    package let limit: Int

    package var description: String {
        "the text is too long for a QR code, which holds \(limit) characters of its kind"
    }
}
