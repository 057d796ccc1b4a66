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
    static func readList(from reader: inout CBORReader) throws(WireError) -> [ApplicationCounter] {
        let count = try reader.readArray(maximum: FieldLimit.applications)
        var counters: [ApplicationCounter] = []
        for _ in 0..<count {
            let start = reader.offset
            try reader.readArray(count: 2)
            let application = UInt8(try reader.readNumber(in: 1...8))
            if let last = counters.last, application <= last.application {
                throw WireError(.invalidValue, offset: start)
            }
            counters.append(ApplicationCounter(application: application, counter: try reader.readNumber()))
        }
        return counters
    }

    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.unsigned(UInt64(application))
        writer.unsigned(counter)
    }
}
