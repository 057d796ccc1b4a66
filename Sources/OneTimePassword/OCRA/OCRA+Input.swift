public import Primitives

extension OCRA {
    /// The input of a code, except key and PIN. It contains exactly the values that the suite names.
    public struct Input: Sendable, Hashable {
        /// The question or the data.
        public var question: Question

        // `Optional` is spelled out, because a property of type `UInt64?` is initialized with `nil` first, which takes
        // another copy of the value.

        /// The counter.
        public var counter: Optional<UInt64>

        /// The session information, usually UTF-8 text. It is padded with zeros in front to the length of the suite.
        public var session: Optional<[UInt8]>

        /// The time.
        public var time: Optional<Timestamp>

        /// Creates the input of a code.
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
    /// Checks that the input contains the values of a suite and no others.
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
        guard (time == nil) == (suite.timeStep == nil) else {
            throw time == nil
                ? OneTimePasswordError(.missingInput, "the suite needs the time")
                : OneTimePasswordError(.unexpectedInput, "the suite has no time")
        }
        guard session?.count ?? 0 <= suite.sessionByteCount ?? 0 else {
            throw OneTimePasswordError(.invalidSession, "the session information is longer than the suite allows")
        }
    }

    /// Returns the number of the time step, or 0 without the time.
    func step(_ suite: OCRA.Suite) -> UInt64 {
        guard let time, let length = suite.timeStep else { return 0 }
        return UInt64(max(time.secondsSinceEpoch, 0)) / UInt64(length)
    }
}
