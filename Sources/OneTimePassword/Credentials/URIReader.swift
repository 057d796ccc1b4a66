internal import Primitives

/// A reader of a URI in place, without a copy of the seed in it.
struct URIReader {
    /// The range that is not yet read.
    private(set) var rest: Range<Int>

    init(_ count: Int) {
        rest = 0..<count
    }

    /// Reads the beginning of the URI, in upper or lower case (RFC 3986 section 3.1).
    mutating func skip(_ prefix: StaticString, in uri: Span<UInt8>) throws(OneTimePasswordError) {
        let range = rest.prefix(prefix.utf8CodeUnitCount)
        guard Self.equals(uri, range, prefix.description) else {
            throw OneTimePasswordError(.invalidURI, "the URI does not begin with otpauth://")
        }
        rest = range.endIndex..<rest.upperBound
    }

    /// Reads up to a separator and skips it.
    ///
    /// - Returns: The range before the separator, or `nil` when there is no separator.
    mutating func take(until separator: Unicode.Scalar, in uri: Span<UInt8>) -> Range<Int>? {
        guard let end = rest.first(where: { uri[$0] == UInt8(ascii: separator) }) else { return nil }
        defer { rest = (end + 1)..<rest.upperBound }
        return rest.lowerBound..<end
    }

    /// Returns whether a part equals a text, in upper or lower case.
    static func equals(_ uri: Span<UInt8>, _ range: Range<Int>, _ text: String) -> Bool {
        range.count == text.utf8.count
            && zip(range, text.lowercased().utf8).allSatisfy { index, character in
                let isUpper = 65...90 ~= uri[index]
                return (isUpper ? uri[index] + 32 : uri[index]) == character
            }
    }

    /// Returns the number below 2⁶⁴ of a part that contains only decimal digits; otherwise `nil`.
    static func number(_ uri: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
        guard 1...20 ~= range.count else { return nil }
        var value: UInt64 = 0
        for index in range {
            guard 48...57 ~= uri[index] else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(uri[index] - 48))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// Returns a part with its percent-encoded characters decoded.
    static func decoded(_ uri: Span<UInt8>, _ range: Range<Int>) throws(OneTimePasswordError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try decodedCount(uri, range))
        var output = bytes.mutableSpan
        decode(uri, range, into: &output)
        return bytes
    }

    /// Returns a secret part with its percent-encoded characters decoded.
    static func secret(_ uri: Span<UInt8>, _ range: Range<Int>) throws(OneTimePasswordError) -> SecretBytes {
        SecretBytes(count: try decodedCount(uri, range)) { output in decode(uri, range, into: &output) }
    }

    /// Returns the text of bytes in UTF-8.
    static func text(_ bytes: [UInt8]) throws(OneTimePasswordError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OneTimePasswordError(.invalidLabel, "issuer and account have to be UTF-8")
        }
        return text
    }

    /// Checks the characters of a part and returns its number of bytes after decoding.
    private static func decodedCount(_ uri: Span<UInt8>, _ range: Range<Int>) throws(OneTimePasswordError) -> Int {
        var count = 0
        var index = range.lowerBound
        while index < range.upperBound {
            if uri[index] == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, value(uri[index + 1]) != nil, value(uri[index + 2]) != nil else {
                    throw OneTimePasswordError(.invalidURI, "a percent sign is not followed by two hexadecimal digits")
                }
                index += 2
            } else {
                // Other characters of a URI are visible ASCII; '#' would begin a fragment.
                guard 0x21...0x7E ~= uri[index], uri[index] != UInt8(ascii: "#") else {
                    throw OneTimePasswordError(.invalidURI, "a character of the URI must be in percent form")
                }
            }
            index += 1
            count += 1
        }
        return count
    }

    private static func decode(_ uri: Span<UInt8>, _ range: Range<Int>, into output: inout MutableSpan<UInt8>) {
        var index = range.lowerBound
        for place in output.indices {
            if uri[index] == UInt8(ascii: "%"), let high = value(uri[index + 1]), let low = value(uri[index + 2]) {
                output[place] = high << 4 | low
                index += 3
            } else {
                output[place] = uri[index]
                index += 1
            }
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 65...70: digit - 55
        case 97...102: digit - 87
        default: nil
        }
    }
}

/// The ranges of the values of the known parameters in an `otpauth` URI.
struct URIParameters {
    private(set) var secret: Range<Int>?
    private(set) var issuer: Range<Int>?
    private(set) var algorithm: Range<Int>?
    private(set) var digits: Range<Int>?
    private(set) var counter: Range<Int>?
    private(set) var period: Range<Int>?

    init(_ uri: Span<UInt8>, _ query: Range<Int>) throws(OneTimePasswordError) {
        guard query.isEmpty || uri[query.upperBound - 1] != UInt8(ascii: "&") else {
            throw OneTimePasswordError(.invalidURI, "a parameter has no name")
        }
        var start = query.lowerBound
        while start < query.upperBound {
            let end = (start..<query.upperBound).first { uri[$0] == UInt8(ascii: "&") } ?? query.upperBound
            guard let equals = (start..<end).first(where: { uri[$0] == UInt8(ascii: "=") }) else {
                throw OneTimePasswordError(.invalidURI, "a parameter has no value")
            }
            try set(uri, name: start..<equals, value: (equals + 1)..<end)
            start = end + 1
        }
    }

    private mutating func set(
        _ uri: Span<UInt8>, name: Range<Int>, value: Range<Int>
    ) throws(OneTimePasswordError) {
        let known: [(String, WritableKeyPath<URIParameters, Range<Int>?>)] = [
            ("secret", \.secret), ("issuer", \.issuer), ("algorithm", \.algorithm), ("digits", \.digits),
            ("counter", \.counter), ("period", \.period),
        ]
        for (text, path) in known where URIReader.equals(uri, name, text) {
            guard self[keyPath: path] == nil else {
                throw OneTimePasswordError(.repeatedParameter, "a parameter is in the URI twice")
            }
            self[keyPath: path] = value
        }
    }
}
