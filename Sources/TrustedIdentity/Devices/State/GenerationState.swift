internal import OrchestrationProtocol

/// The generations of a device's password that the platform knows, and the meaning of one that a message names.
///
/// A change of password is open from the offer of the next generation until its first valid use. That use promotes the
/// generation, and the secret of the one before is erased. The platform never goes back.
struct GenerationState: Equatable {
    /// The generation that was last proven.
    var confirmed: UInt64
    /// The highest generation that was offered, or that a device of a restored platform has named.
    var offered: UInt64
    /// Whether the device has not synchronized since a restore.
    var isRestored: Bool

    /// The meaning of a generation.
    enum Position: Equatable {
        /// The confirmed generation.
        case current
        /// A later generation that the device may have. Its first valid use promotes it.
        case next
        /// A generation left behind. It is refused and not counted: another process may have changed the password.
        case outdated
        /// A generation that was never offered.
        case unknown
    }

    init(_ device: DeviceRecord) {
        confirmed = device.generation
        offered = max(device.generation, device.offeredGeneration)
        isRestored = device.isRestored
    }

    /// Returns the meaning of a generation.
    func position(of generation: UInt64) -> Position {
        if generation == confirmed { return .current }
        if generation < confirmed { return .outdated }
        if generation <= offered { return .next }
        // The backup may be older than some offers.
        return isRestored && isReachable(generation) ? .next : .unknown
    }

    /// Whether the secret of a generation is derived at all, for a proof that names it.
    ///
    /// No secret of a later generation can be made without the change key, so that a right proof shows that the
    /// generation was offered. A wrong one is counted.
    func isReachable(_ generation: UInt64) -> Bool {
        generation >= confirmed && generation - confirmed <= PasswordGenerations.longestAdvance
    }

    /// The generation at which a typed code may be besides the confirmed one; `nil` while no change is open.
    var open: UInt64? { offered > confirmed ? offered : nil }
}

extension DeviceRecord {
    /// Opens a change of the password to a generation.
    mutating func offer(generation later: UInt64) { offeredGeneration = max(generation, offeredGeneration, later) }

    /// Moves the password to a later generation. ``DeviceKeys/sealSecrets(of:address:changeKey:registered:sealer:)``
    /// moves its secret.
    mutating func promote(toGeneration later: UInt64) {
        guard later > generation else { return }
        generation = later
        clearFailures()
        offer(generation: later)
    }
}
