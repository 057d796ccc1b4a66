/// Why the platform did not do what a device asked for.
package struct Refusal: Sendable, Hashable {
    package var code: RefusalCode

    /// How many tries are left before the instance is locked, where tries are counted.
    package var remainingTries: UInt64?

    /// After how many milliseconds it makes sense to ask again, where it does.
    package var retryAfter: UInt64?

    package init(_ code: RefusalCode, remainingTries: UInt64? = nil, retryAfter: UInt64? = nil) {
        self.code = code
        self.remainingTries = remainingTries
        self.retryAfter = retryAfter
    }

    init(from reader: inout CBORReader) throws(WireError) {
        code = RefusalCode(rawValue: try reader.readNumber())
        remainingTries = try reader.readIfNull() ? nil : reader.readNumber()
        retryAfter = try reader.readIfNull() ? nil : reader.readNumber()
    }

    func write(to output: inout some CBOROutput) {
        output.unsigned(code.rawValue)
        output.optional(remainingTries)
        output.optional(retryAfter)
    }
}
