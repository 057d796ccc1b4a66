public import Primitives

extension OCRA {
    /// What a code is made for, apart from key and PIN. Give exactly what the suite names.
    public struct Input: Sendable, Hashable {
        /// The question or the data.
        public var question: Question

        // `Optional` in full: written short, each would be set to `nil` first, and the value copied once more for it.

        /// The counter.
        public var counter: Optional<UInt64>

        /// The session information, usually UTF-8 text. It is filled with zeros in front to the suite's length.
        public var session: Optional<[UInt8]>

        /// The time.
        public var time: Optional<Timestamp>

        /// Collects the input of a code.
        @inlinable
        public init(
            _ question: Question, counter: UInt64? = nil, session: [UInt8]? = nil, time: Timestamp? = nil
        ) {
            self.question = question
            self.counter = counter
            self.session = session
            self.time = time
        }
    }
}

extension OCRA.Input {
    /// Whether there is what the suite names, and nothing else.
    func check(_ suite: OCRA.Suite) throws(OneTimePasswordError) {
        guard (counter != nil) == suite.hasCounter else {
            throw suite.hasCounter
                ? OneTimePasswordError(.missingInput, "the suite needs a counter")
                : OneTimePasswordError(.unexpectedInput, "the suite has no counter")
        }
        guard (session == nil) == (suite.sessionByteCount == nil) else {
            throw session == nil
                ? OneTimePasswordError(.missingInput, "the suite needs session information")
                : OneTimePasswordError(.unexpectedInput, "the suite has no session information")
        }
        guard (time == nil) == (suite.timeStepSeconds == nil) else {
            throw time == nil
                ? OneTimePasswordError(.missingInput, "the suite needs the time")
                : OneTimePasswordError(.unexpectedInput, "the suite has no time")
        }
        guard session?.count ?? 0 <= suite.sessionByteCount ?? 0 else {
            throw OneTimePasswordError(.invalidSession, "the session information is longer than the suite says")
        }
    }

    /// The number of the time step, 0 without the time.
    func step(_ suite: OCRA.Suite) -> UInt64 {
        guard let time, let length = suite.timeStepSeconds else { return 0 }
        return UInt64(max(time.secondsSinceEpoch, 0)) / UInt64(length)
    }
}
