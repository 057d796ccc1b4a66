extension String {
    /// Returns whether the text is an id that is safe in a header and in a log: letters and digits of ASCII,
    /// `-`, `_` and `.`.
    ///
    /// - Parameter lengths: The allowed numbers of characters.
    package func isPlainID(lengths: ClosedRange<Int>) -> Bool {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain && lengths.contains(utf8.count)
    }
}
