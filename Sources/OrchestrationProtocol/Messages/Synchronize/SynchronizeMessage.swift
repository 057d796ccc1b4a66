/// A comparison of a device's state with the platform's: the generation of the password instance's secret, the
/// counters, the capabilities and the platform keys.
package struct SynchronizeMessage: ChannelMessage {
    package static let type = MessageType("synchronize")

    /// The generation that the device has.
    package var generation: UInt64

    /// The counters of the device by ascending crypto application, each application at most once.
    package var counters: [ApplicationCounter]

    /// The numbers of the device's capabilities, ascending. Unknown ones are allowed.
    package var capabilities: [UInt64]

    /// The number of the latest key statement that the device has; 0 for none. A lower number requests statements
    /// again. The answer contains the later ones.
    package var statement: UInt64

    /// The number of the latest account notice that the device has; 0 for none.
    package var notice: UInt64

    package init(
        generation: UInt64, counters: [ApplicationCounter], capabilities: [UInt64], statement: UInt64, notice: UInt64
    ) {
        self.generation = generation
        self.counters = counters
        self.capabilities = capabilities
        self.statement = statement
        self.notice = notice
    }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 5)
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
        capabilities = try reader.readNumbers(count: 0...FieldLimit.capabilities)
        statement = try reader.readNumber()
        notice = try reader.readNumber()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(5)
        output.unsigned(generation)
        output.array(counters.count)
        for counter in counters { counter.write(to: &output) }
        output.numbers(capabilities)
        output.unsigned(statement)
        output.unsigned(notice)
    }

    package var body: RequestBody { .synchronize(self) }

    /// The generation that the platform has, the capabilities that both sides have now, the rules for a new password, the
    /// limits that an app shows, and the notices of the account.
    package struct Answer: MessageBody {
        package var generation: UInt64

        /// The numbers of the request's capabilities that the platform also has, ascending.
        package var capabilities: [UInt64]

        /// The rules for a new password. The current one may have been chosen under other rules.
        package var policy: PINPolicyForm

        /// The number of wrong passwords that locks the device, at least 1.
        package var tries: UInt64

        /// The number of activated devices of the account, including this one.
        package var devices: UInt64

        /// The number of activated devices that an account may have.
        package var maximumDevices: UInt64

        /// The first notices after the one in the request, by ascending number.
        package var notices: [AccountNoticeForm]

        package init(
            generation: UInt64, capabilities: [UInt64], policy: PINPolicyForm, tries: UInt64, devices: UInt64,
            maximumDevices: UInt64, notices: [AccountNoticeForm]
        ) {
            self.generation = generation
            self.capabilities = capabilities
            self.policy = policy
            self.tries = tries
            self.devices = devices
            self.maximumDevices = maximumDevices
            self.notices = notices
        }

        package init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 7)
            generation = try reader.readNumber()
            capabilities = try reader.readNumbers(count: 0...FieldLimit.capabilities)
            policy = try PINPolicyForm(from: &reader)
            tries = try reader.readNumber()
            devices = try reader.readNumber()
            maximumDevices = try reader.readNumber()
            notices = []
            for _ in 0..<(try reader.readArray(maximum: FieldLimit.notices)) {
                let start = reader.offset
                let notice = try AccountNoticeForm(from: &reader)
                guard notice.number > notices.last?.number ?? 0 else { throw WireError(.invalidValue, offset: start) }
                notices.append(notice)
            }
        }

        package func write(to output: inout some CBOROutput) {
            output.array(7)
            output.unsigned(generation)
            output.numbers(capabilities)
            policy.write(to: &output)
            output.unsigned(tries)
            output.unsigned(devices)
            output.unsigned(maximumDevices)
            output.array(notices.count)
            for notice in notices { notice.write(to: &output) }
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

extension RequestBody {
    package static func synchronize(
        generation: UInt64, counters: [ApplicationCounter], capabilities: [UInt64] = [], statement: UInt64 = 0,
        notice: UInt64 = 0
    ) -> RequestBody {
        .synchronize(
            SynchronizeMessage(
                generation: generation, counters: counters, capabilities: capabilities, statement: statement,
                notice: notice))
    }
}

extension AnswerBody {
    package static func synchronize(_ answer: SynchronizeMessage.Answer) -> AnswerBody {
        AnswerBody(answer, to: SynchronizeMessage.self)
    }
}
