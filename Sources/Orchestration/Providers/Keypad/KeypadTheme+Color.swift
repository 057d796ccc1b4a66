extension KeypadTheme {
    /// A color of a theme: red, green, blue and opacity, each from 0 to 255.
    public struct Color: Sendable, Hashable {
        /// The red part.
        public var red: UInt8
        /// The green part.
        public var green: UInt8
        /// The blue part.
        public var blue: UInt8
        /// The opacity: 0 is transparent, and 255 is opaque.
        public var alpha: UInt8

        /// Creates a color.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }

        /// Creates a color from a number in the form `0xAARRGGBB`.
        init(_ argb: UInt32) {
            (alpha, red) = (UInt8(truncatingIfNeeded: argb >> 24), UInt8(truncatingIfNeeded: argb >> 16))
            (green, blue) = (UInt8(truncatingIfNeeded: argb >> 8), UInt8(truncatingIfNeeded: argb))
        }

        /// Creates a color from a text.
        ///
        /// - Parameter text: `#RRGGBB` or `#AARRGGBB` in hexadecimal, in either case.
        /// - Returns: `nil` for any other text.
        init?(text: String) {
            let digits = Array(text.utf8.dropFirst())
            guard text.utf8.first == UInt8(ascii: "#"), [6, 8].contains(digits.count) else { return nil }
            var number: UInt32 = digits.count == 6 ? 0xFF : 0
            for digit in digits {
                guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
                number = number << 4 | UInt32(value)
            }
            self.init(number)
        }
    }
}
