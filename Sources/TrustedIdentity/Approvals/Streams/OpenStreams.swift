internal import Synchronization

/// The streams of notifications that are open in this process, and their bounds.
///
/// A device has one stream: a newer one ends the older, which may belong to a connection that was lost. An account has
/// at most one stream for each active device. The configuration limits the number of all streams and the number of
/// streams of an address.
final class OpenStreams: Sendable {
    private struct State {
        var total = 0
        var byAddress: [[UInt8]: Int] = [:]
        var number: UInt64 = 0
        var latest: [[UInt8]: UInt64] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int
    private let limitOfAddress: Int

    /// Creates the registry.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of streams.
    ///   - limitOfAddress: The maximum number of streams of an address, or of 64 bits of an IPv6 address.
    init(limit: Int, limitOfAddress: Int) {
        self.limit = limit
        self.limitOfAddress = limitOfAddress
    }

    /// The number of open streams.
    var count: Int { state.withLock { $0.total } }

    /// Counts a new stream. It ends with the place.
    ///
    /// - Parameter address: The address of the caller; `nil` for code in the same process, which only the limit of all
    ///   streams concerns.
    /// - Throws: ``PlatformError`` with `busy` when a limit is reached.
    func reserve(from address: String?) throws(PlatformError) -> StreamPlace {
        let network = address.map { AddressNetwork($0).bytes }
        let isFree = state.withLock { state in
            let count = network.map { state.byAddress[$0] ?? 0 } ?? 0
            guard state.total < limit, count < limitOfAddress else { return false }
            state.total += 1
            if let network { state.byAddress[network] = count + 1 }
            return true
        }
        guard isFree else { throw PlatformError(.busy) }
        return StreamPlace(streams: self, network: network)
    }

    /// Makes a stream the latest of its device.
    ///
    /// - Returns: The number of the stream.
    fileprivate func open(_ device: [UInt8]) -> UInt64 {
        state.withLock { state in
            state.number += 1
            state.latest[device] = state.number
            return state.number
        }
    }

    fileprivate func isLatest(_ device: [UInt8], number: UInt64) -> Bool {
        state.withLock { $0.latest[device] == number }
    }

    fileprivate func close(_ device: [UInt8], number: UInt64) {
        state.withLock { state in
            if state.latest[device] == number { state.latest[device] = nil }
        }
    }

    fileprivate func release(_ network: [UInt8]?) {
        state.withLock { state in
            state.total -= 1
            guard let network, let count = state.byAddress[network] else { return }
            state.byAddress[network] = count > 1 ? count - 1 : nil
        }
    }
}

/// The place of a stream that is to be opened.
struct StreamPlace: ~Copyable {
    fileprivate let streams: OpenStreams
    private let network: [UInt8]?

    fileprivate init(streams: OpenStreams, network: [UInt8]?) {
        self.streams = streams
        self.network = network
    }

    deinit { streams.release(network) }

    /// Opens the stream of a device, which ends an older one.
    consuming func open(_ device: [UInt8]) -> OpenStream {
        let number = streams.open(device)
        return OpenStream(place: self, device: device, number: number)
    }
}

/// An open stream of a device. It is counted until it is released.
final class OpenStream: Sendable {
    private let place: StreamPlace
    private let device: [UInt8]
    private let number: UInt64

    fileprivate init(place: consuming StreamPlace, device: [UInt8], number: UInt64) {
        self.place = place
        self.device = device
        self.number = number
    }

    deinit { place.streams.close(device, number: number) }

    /// Whether the device has opened no newer stream.
    var isLatest: Bool { place.streams.isLatest(device, number: number) }
}
