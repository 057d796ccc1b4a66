internal import Hummingbird

/// The place of a request in the trace of its caller: the header `traceparent` of W3C Trace Context (section 3.2).
struct TraceParent: Equatable {
    /// The id of the trace, 32 lowercase hexadecimal digits.
    let traceID: String
    /// The id of the caller's span, 16 lowercase hexadecimal digits.
    let spanID: String

    /// Creates the place from the text of the header. Returns nil for any text other than version 00.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "00", zip(parts, [2, 32, 16, 2]).allSatisfy(Self.isHex),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceID = String(parts[1])
        spanID = String(parts[2])
    }

    /// Returns the place that a request names; nil for none, and for more than one header.
    init?(of request: Request) {
        let values = request.headers[values: .traceParent]
        guard values.count == 1 else { return nil }
        self.init(values[0])
    }

    private static func isHex(_ part: Substring, _ length: Int) -> Bool {
        part.utf8.count == length && part.allSatisfy { ("0"..."9").contains($0) || ("a"..."f").contains($0) }
    }
}

extension HTTPFields.Element.Name {
    fileprivate static let traceParent = constant("traceparent")
}
