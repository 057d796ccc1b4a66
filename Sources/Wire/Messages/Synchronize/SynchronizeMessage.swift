/// A comparison of the generation of the password instance's secret and of the counters of a device with those of the
/// platform.
package struct SynchronizeMessage: ChannelMessage {
    package static let type = MessageType("synchronize")

    /// The generation that the device has.
    package var generation: UInt64

    /// The counters of the device by ascending crypto application, each application at most once.
    package var counters: [ApplicationCounter]

    package init(generation: UInt64, counters: [ApplicationCounter]) {
        self.generation = generation
        self.counters = counters
    }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 2)
        generation = try reader.readNumber()
        let count = try reader.readArray(maximum: FieldLimit.applications)
        counters = []
        for _ in 0..<count {
            let start = reader.offset
            let counter = try ApplicationCounter(from: &reader)
            if let last = counters.last, counter.application <= last.application {
                throw WireError(.invalidValue, offset: start)
            }
            counters.append(counter)
        }
    }

    package func write(to output: inout some CBOROutput) {
        output.array(2)
        output.unsigned(generation)
        output.array(counters.count)
        for counter in counters { counter.write(to: &output) }
    }

    package var body: RequestBody { .synchronize(self) }

    /// The generation that the platform has.
    package struct Answer: MessageBody {
        package var generation: UInt64

        package init(generation: UInt64) { self.generation = generation }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 1)
            generation = try reader.readNumber()
        }

        package func write(to output: inout some CBOROutput) {
            output.array(1)
            output.unsigned(generation)
        }
    }
}

/// The counter of a crypto application.
package struct ApplicationCounter: Sendable, Hashable {
    /// The index of the crypto application, 1 to 8.
    package var application: UInt8

    /// The counter of the next code.
    package var counter: UInt64

    package init(application: UInt8, counter: UInt64) {
        self.application = application
        self.counter = counter
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 2)
        application = UInt8(try reader.readNumber(in: 1...8))
        counter = try reader.readNumber()
    }

    func write(to output: inout some CBOROutput) {
        output.array(2)
        output.unsigned(UInt64(application))
        output.unsigned(counter)
    }
}

extension MessageType {
    package static var synchronize: MessageType { SynchronizeMessage.type }
}

extension RequestBody {
    package static func synchronize(generation: UInt64, counters: [ApplicationCounter]) -> RequestBody {
        .synchronize(SynchronizeMessage(generation: generation, counters: counters))
    }
}

extension AnswerBody {
    package static func synchronize(generation: UInt64) -> AnswerBody {
        AnswerBody(SynchronizeMessage.Answer(generation: generation), to: SynchronizeMessage.self)
    }
}
