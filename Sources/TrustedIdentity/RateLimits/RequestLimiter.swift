internal import Primitives
internal import Synchronization

/// The limits on work that this process does for devices and addresses.
final class Gates: Sendable {
    private let devices: Mutex<RateLimiter>
    private let addresses: Mutex<RateLimiter>
    private let pairs: Mutex<RateLimiter>
    private let sweep = Mutex(Timestamp(millisecondsSinceEpoch: .min))

    init(_ configuration: PlatformConfiguration) {
        devices = Mutex(RateLimiter(perMinute: configuration.requestsPerDevice))
        addresses = Mutex(RateLimiter(perMinute: configuration.requestsPerAddress))
        pairs = Mutex(RateLimiter(perMinute: configuration.requestsPerDevice))
    }

    /// Takes one proven request of a device; nil when it may pass, else in how many milliseconds it may.
    func take(device: [UInt8], now: Timestamp) -> Int64? { devices.withLock { $0.take(device, now: now) } }

    /// Takes one unproven request of an address. Requests without an address come from code that embeds the platform.
    func take(address: String?, now: Timestamp) throws(PlatformError) {
        guard take(bucketOf: address, now: now) else { throw PlatformError(.busy) }
    }

    /// Lets a sealed request in: before anything is done for it, because what it is shows only when it is opened.
    func admit(from address: String?, now: Timestamp) -> Admission {
        Admission(address: address, door: take(bucketOf: address, now: now) ? .address : .none)
    }

    /// Lets a request in that names a device which exists, though its address has used up what it had.
    ///
    /// Many share an address. A flood from there must not shut out the devices behind it, and must not be worth more
    /// than this for each device whose id it knows.
    func admit(_ admission: inout Admission, asOneOf device: [UInt8], now: Timestamp) throws(PlatformError) {
        guard admission.door == .none else { return }
        guard pairs.withLock({ $0.take(Self.pair(device, admission.address), now: now) }) == nil else {
            throw PlatformError(.busy)
        }
        admission.door = .device(device)
    }

    /// Gives back what a request took that has proven a device in time: it is counted by device.
    func giveBack(_ admission: Admission) {
        guard let address = admission.address else { return }
        switch admission.door {
        case .address: addresses.withLock { $0.giveBack(Self.key(address)) }
        case .device(let device): pairs.withLock { $0.giveBack(Self.pair(device, address)) }
        case .none: break
        }
    }

    private func take(bucketOf address: String?, now: Timestamp) -> Bool {
        guard let address else { return true }
        return addresses.withLock { $0.take(Self.key(address), now: now) } == nil
    }

    private static func key(_ address: String) -> [UInt8] { Array(address.utf8.prefix(64)) }

    private static func pair(_ device: [UInt8], _ address: String?) -> [UInt8] { device + key(address ?? "") }

    /// Whether it is time to forget expired rows: once a minute.
    func isSweepDue(now: Timestamp) -> Bool {
        sweep.withLock { last in
            guard now < last || now.milliseconds(since: last) >= 60_000 else { return false }
            last = now
            return true
        }
    }
}
