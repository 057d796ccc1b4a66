public import Primitives

extension OCRA {
    /// What a code is made for, apart from key and PIN. Give exactly what the suite names.
    public struct Input: Sendable, Hashable {
        /// The question or the data.
        public var question: Question

        /// The counter.
        public var counter: UInt64?

        /// The session information, usually UTF-8 text. It is filled with zeros in front to the suite's length.
        public var session: [UInt8]?

        /// The time.
        public var time: Timestamp?

        /// Collects the input of a code.
        public init(
            _ question: Question, counter: UInt64? = nil, session: [UInt8]? = nil, time: Timestamp? = nil
        ) {
            self.question = question
            self.counter = counter
            self.session = session
            self.time = time
        }
    }

    /// An input that fits the suite, in the form in which it enters the HMAC.
    struct Prepared {
        let counter: UInt64
        let question: [UInt8]
        let session: [UInt8]
        let step: UInt64

        init(_ input: Input, _ suite: Suite) throws(OneTimePasswordError) {
            guard (input.counter != nil) == suite.hasCounter else {
                throw suite.hasCounter
                    ? OneTimePasswordError(.missingInput, "the suite needs a counter")
                    : OneTimePasswordError(.unexpectedInput, "the suite has no counter")
            }
            guard (input.session == nil) == (suite.sessionByteCount == nil) else {
                throw input.session == nil
                    ? OneTimePasswordError(.missingInput, "the suite needs session information")
                    : OneTimePasswordError(.unexpectedInput, "the suite has no session information")
            }
            guard (input.time == nil) == (suite.timeStepSeconds == nil) else {
                throw input.time == nil
                    ? OneTimePasswordError(.missingInput, "the suite needs the time")
                    : OneTimePasswordError(.unexpectedInput, "the suite has no time")
            }
            counter = input.counter ?? 0
            question = try input.question.encoded(for: suite)
            let missing = (suite.sessionByteCount ?? 0) - (input.session?.count ?? 0)
            guard missing >= 0 else {
                throw OneTimePasswordError(.invalidSession, "the session information is longer than the suite says")
            }
            session = [UInt8](repeating: 0, count: missing) + (input.session ?? [])
            let seconds = UInt64(max(input.time?.secondsSinceEpoch ?? 0, 0))
            step = seconds / UInt64(suite.timeStepSeconds ?? 1)
        }
    }
}
