/// What a sealed request was let in by, and whether it was counted for its device.
struct Admission {
    /// What it was taken from.
    enum Door: Equatable {
        /// From what its address may send.
        case address
        /// From what this device may send from an address that has used up its own.
        case device([UInt8])
        /// From nothing yet.
        case none
    }

    /// Where it came from; nil for code in the same process, which is always let in.
    let address: String?
    var door: Door
    /// Whether it was taken from what its device may send: once, however often the decision is taken anew.
    var isCounted = false
}
