/// What became of the proof beside a request.
enum ProofOutcome: Sendable, Hashable {
    /// There was none.
    case absent
    /// Made with the secret of this instance, at the ratchet index of the request.
    case right(Instance)
    /// Made with something else.
    case wrong(Instance)
    /// Of a generation that the platform has not.
    case otherGeneration
}
