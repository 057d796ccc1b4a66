/// The limits on the number of devices and on the time for an activation.
enum DeviceLimits {
    /// The number of activated devices of an account. Each one adds a set of keys that a guess could match.
    static let maximumDevices = 5
    /// The time from step 2 to step 4 of an activation, in milliseconds.
    static let pendingLifetime: Int64 = 30 * 60_000
    /// The time for which a device with an expired activation still gets that refusal before its keys are erased, in
    /// milliseconds. A device whose clock is slow asks late.
    static let pendingRetention: Int64 = 60 * 60_000
    /// The number of receipts of step 3 that are remembered. A late repeat of step 3 must not make the next receipt
    /// worthless.
    static let rememberedReceipts = 4
    /// The number of refused requests of a device that are remembered. It also limits the refusals of a device whose
    /// clock is years ahead, which are remembered for as long.
    static let rememberedRefusals = 64
}
