internal import OrchestrationProtocol

/// The generations of a device's password that the platform knows, and the meaning of one that a message names.
///
/// Each offer of a change is a separate generation, with a number that no other generation had. The first valid use of
/// an offer promotes it, and the secrets of the other offers are erased. The platform never goes back.
struct GenerationState: Equatable {
    /// The generation that was last proven.
    let confirmed: UInt64
    /// The offers that may still be used, the oldest first.
    let open: [UInt64]
    /// The highest generation that was ever offered.
    let highest: UInt64

    /// The meaning of a generation.
    enum Position: Equatable {
        /// The confirmed generation.
        case current
        /// An open offer, which the device may have taken. Its first valid use promotes it.
        case next
        /// A generation left behind, or an offer that another one has replaced. It is refused and not counted: another
        /// process may have changed the password.
        case outdated
        /// A generation that was never offered.
        case unknown
    }

    init(_ device: DeviceRecord, offers: [PasswordOffer]) {
        confirmed = device.generation
        open = offers.map(\.generation)
        highest = max(device.generation, device.offeredGeneration)
    }

    /// Returns the meaning of a generation.
    func position(of generation: UInt64) -> Position {
        if generation == confirmed { return .current }
        if open.contains(generation) { return .next }
        return generation <= highest ? .outdated : .unknown
    }
}

extension DeviceRecord {
    /// Moves the password to a later generation. ``DeviceKeys/sealSecrets(of:registered:offered:sealer:)`` moves its
    /// secret, and erases the other offers.
    mutating func promote(toGeneration later: UInt64) {
        guard later > generation else { return }
        generation = later
        offeredGeneration = max(offeredGeneration, later)
        clearFailures()
    }
}
