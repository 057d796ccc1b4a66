internal import Primitives
internal import Synchronization

/// The limits on the work that this process does for devices and addresses.
///
/// A request that proves a device in time is charged to the device. Every other request is charged to its address, and
/// a sealed request is charged before it is opened: a late request, a repeat and a forgery cost as much as an honest
/// request until then. ``refund(_:)`` returns the charge of a request that has proven its device. The addresses of an
/// IPv6 network of 64 bits count as one; see ``AddressNetwork``.
final class RequestLimiter: Sendable {
    private let devices: Mutex<RateLimiter>
    private let addresses: Mutex<RateLimiter>
    private let pairs: Mutex<RateLimiter>

    init(_ configuration: PlatformConfiguration) {
        devices = Mutex(RateLimiter(perMinute: configuration.requestsPerDevice))
        addresses = Mutex(RateLimiter(perMinute: configuration.requestsPerAddress))
        pairs = Mutex(RateLimiter(perMinute: configuration.requestsPerDevice))
    }

    /// Charges a device for a request that it has proven.
    ///
    /// - Returns: `nil` when the request is within the limit; otherwise the milliseconds until the next one is.
    func charge(device: [UInt8], now: Timestamp) -> Int64? { devices.withLock { $0.charge(device, now: now) } }

    /// Charges an address for a request that proves no device.
    ///
    /// - Parameter address: The address; `nil` for code in the same process, which is not limited.
    /// - Throws: ``PlatformError`` with `busy` over the limit.
    func charge(address: String?, now: Timestamp) throws(PlatformError) {
        guard isWithinLimit(address, now: now) else { throw PlatformError(.busy) }
    }

    /// Charges an address for a request that shows its device later: a sealed request when it is opened, and a stream
    /// request when its token is found.
    ///
    /// - Returns: The charge; ``RequestCharge/Payer/unpaid`` when the address is over its limit.
    func charge(unprovenRequestFrom address: String?, now: Timestamp) -> RequestCharge {
        RequestCharge(address: address, payer: isWithinLimit(address, now: now) ? .address : .unpaid)
    }

    /// Charges the pair of a device and an address when the address is over its limit.
    ///
    /// Many users share an address. A flood from it must not shut out the devices behind it. The flood gains at most
    /// this limit for each device whose id the sender knows.
    ///
    /// - Parameter device: The id of a device that exists.
    /// - Throws: ``PlatformError`` with `busy` when the pair is over its limit as well.
    func charge(_ charge: inout RequestCharge, asRequestOf device: [UInt8], now: Timestamp) throws(PlatformError) {
        guard charge.payer == .unpaid else { return }
        guard pairs.withLock({ $0.charge(Self.pair(device, charge.address), now: now) }) == nil else {
            throw PlatformError(.busy)
        }
        charge.payer = .pair(device: device)
    }

    /// Returns the charge of a request that has proven its device in time.
    func refund(_ charge: RequestCharge) {
        RequestProgress.current?.noteProof()
        guard let address = charge.address else { return }
        switch charge.payer {
        case .address: addresses.withLock { $0.refund(Self.key(address)) }
        case .pair(let device): pairs.withLock { $0.refund(Self.pair(device, address)) }
        case .unpaid: break
        }
    }

    private func isWithinLimit(_ address: String?, now: Timestamp) -> Bool {
        guard let address else { return true }
        return addresses.withLock { $0.charge(Self.key(address), now: now) } == nil
    }

    private static func key(_ address: String) -> [UInt8] { AddressNetwork(address).bytes }

    private static func pair(_ device: [UInt8], _ address: String?) -> [UInt8] { device + key(address ?? "") }
}

/// The limit that a request was charged to before it has proven its device.
struct RequestCharge {
    /// The limit that paid for the request.
    enum Payer: Equatable {
        /// The limit of the address.
        case address
        /// The limit of the pair of this device and the address.
        case pair(device: [UInt8])
        /// No limit yet, because the address is over its own limit.
        case unpaid
    }

    /// The address of the sender; `nil` for code in the same process, which is not limited.
    let address: String?
    /// The limit that paid for the request.
    var payer: Payer
}
