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
