/// What happens to one exchange of a ``FaultInjectingTransport``.
public enum Fault: Sendable, Hashable {
    /// Nothing: request and answer arrive.
    case none
    /// The platform never sees the request.
    case loseRequest
    /// The platform acts, and its answer is lost.
    case loseAnswer
    /// The platform sees the request twice; the second answer arrives.
    case duplicate
    /// The sender sees a loss; the request arrives after the next one that gets through.
    case deliverLate
    /// The answer arrives later: the test's clock moves between the platform's act and the arrival.
    case delay(milliseconds: Int64)
    /// One bit of the request is turned over, counted from the first and round the end.
    case corruptRequest(bit: Int)
    /// One bit of the answer is turned over, counted from the first and round the end.
    case corruptAnswer(bit: Int)
    /// The platform acts, and the answer to the exchange before arrives in place of its own; a loss when there was
    /// none before.
    case foreignAnswer
}
