internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The keys of a device's key ratchet that the platform still needs.
struct DeviceRatchet: Sendable {
    /// The inputs of both sides for the offered index.
    struct Offer: Sendable {
        let deviceInput: SymmetricKey
        let platformInput: SymmetricKey
    }

    /// D at the confirmed index.
    let confirmed: SymmetricKey
    /// D at the previous index. It is not used at index 0, and after a state was taken over.
    let previous: SymmetricKey
    /// The device's input for the confirmed index. It is used as long as ``previous``.
    let confirmedInput: SymmetricKey
    /// The inputs for the offered index; `nil` while none is offered.
    var offer: Offer?
}

extension DeviceRatchet {
    /// Creates the ratchet of a device that starts, or whose state the platform takes over.
    init(start: SymmetricKey) { self.init(confirmed: start, previous: start, confirmedInput: start) }

    /// - Parameter isOffered: Whether the row contains an offered index.
    init(decoding bytes: borrowing SecretBytes, isOffered: Bool) throws {
        let keys = try SymmetricKey.parts(of: bytes, count: isOffered ? 5 : 3)
        self.init(
            confirmed: keys[0], previous: keys[1], confirmedInput: keys[2],
            offer: isOffered ? Offer(deviceInput: keys[3], platformInput: keys[4]) : nil)
    }

    func encoded() -> SecretBytes {
        SymmetricKey.joined(
            [confirmed, previous, confirmedInput] + (offer.map { [$0.deviceInput, $0.platformInput] } ?? []))
    }

    /// Returns D at the previous, the confirmed, or the offered index.
    ///
    /// - Throws: ``PlatformError`` with `internal` for any other index.
    func key(at index: UInt64, confirmed confirmedIndex: UInt64) throws -> SymmetricKey {
        if index == confirmedIndex { return confirmed }
        if index + 1 == confirmedIndex { return previous }
        guard let offer, index == confirmedIndex + 1 else { throw PlatformError(.internal) }
        return KeyRatchet.next(
            confirmed, to: index, deviceInput: offer.deviceInput, platformInput: offer.platformInput)
    }

    /// Returns the ratchet once the offered index is confirmed.
    func promoted(from confirmedIndex: UInt64) throws -> DeviceRatchet {
        guard let offer else { throw PlatformError(.internal) }
        return DeviceRatchet(
            confirmed: try key(at: confirmedIndex + 1, confirmed: confirmedIndex), previous: confirmed,
            confirmedInput: offer.deviceInput)
    }

    /// Returns the ratchet with inputs for the next index.
    func offering(_ offer: Offer) -> DeviceRatchet {
        DeviceRatchet(confirmed: confirmed, previous: previous, confirmedInput: confirmedInput, offer: offer)
    }
}
