internal import Primitives
internal import Synchronization

/// The limits on work that this process does for devices and addresses.
final class Gates: Sendable {
    private let devices: Mutex<RateLimiter>
    private let addresses: Mutex<RateLimiter>
    private let sweep = Mutex(Timestamp(millisecondsSinceEpoch: .min))

    init(_ configuration: PlatformConfiguration) {
        devices = Mutex(RateLimiter(perMinute: configuration.requestsPerDevice))
        addresses = Mutex(RateLimiter(perMinute: configuration.requestsPerAddress))
    }

    /// Takes one proven request of a device; nil when it may pass, else in how many milliseconds it may.
    func take(device: [UInt8], now: Timestamp) -> Int64? { devices.withLock { $0.take(device, now: now) } }

    /// Takes one unproven request of an address. Requests without an address come from code that embeds the platform.
    func take(address: String?, now: Timestamp) throws(PlatformError) {
        guard let address else { return }
        guard addresses.withLock({ $0.take(Array(address.utf8.prefix(64)), now: now) }) == nil else {
            throw PlatformError(.busy)
        }
    }

    /// Whether it is time to forget expired rows: once a minute.
    func isSweepDue(now: Timestamp) -> Bool {
        sweep.withLock { last in
            guard now < last || now.milliseconds(since: last) >= 60_000 else { return false }
            last = now
            return true
        }
    }
}
