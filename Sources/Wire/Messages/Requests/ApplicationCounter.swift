/// Where the counter of a crypto application stands.
package struct ApplicationCounter: Sendable, Hashable {
    /// 1 to 8.
    package var application: UInt8

    /// The counter of the next code.
    package var counter: UInt64

    package init(application: UInt8, counter: UInt64) {
        self.application = application
        self.counter = counter
    }

    /// Reads a list by ascending application, none of them twice.
    static func readList(
        from reader: inout CBORScanner, _ take: (ApplicationCounter) -> Void
    ) throws(WireError) {
        let count = try reader.readArray(maximum: FieldLimit.applications)
        var last: UInt8 = 0
        for _ in 0..<count {
            let start = reader.offset
            try reader.readArray(count: 2)
            let application = UInt8(truncatingIfNeeded: try reader.readUnsigned(in: 1...8))
            guard application > last else { throw WireError(.invalidValue, offset: start) }
            last = application
            take(
                ApplicationCounter(
                    application: application, counter: try reader.readUnsigned(in: 0...FieldLimit.number)))
        }
    }

    func write(to output: inout some CBOROutput) {
        output.array(2)
        output.unsigned(UInt64(application))
        output.unsigned(counter)
    }
}
