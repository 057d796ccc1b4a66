import Benchmark
import Crypto
import OneTimePassword

/// Another implementation of one-time passwords.
protocol CodePeer {
    /// Returns the number whose last digits are the code of a counter.
    mutating func number(_ counter: UInt64) -> UInt32
}

/// Registers the benchmark of a peer, which computes the codes of a window one after the other.
func peerBenchmark<Peer: CodePeer>(
    _ name: String, places: Int = 1, _ make: @escaping @Sendable () throws -> Peer
) {
    Benchmark(name, configuration: .hotPath) { benchmark in
        var peer = try make()
        benchmark.measure {
            for counter in benchmark.scaledIterations {
                for place in 0..<places { blackHole(peer.number(UInt64(counter + place))) }
            }
        }
    }
}

/// Returns the dynamic truncation of RFC 4226, section 5.3. It does not run in constant time.
func truncated(_ code: UnsafeRawBufferPointer) -> UInt32 {
    let offset = unsafe Int(code[code.count - 1] & 0xF)
    return unsafe UInt32(bigEndian: code.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) & 0x7FFF_FFFF
}

/// A message for a peer: the eight bytes of the counter, followed by zeros where a longer message is needed.
struct PeerMessage {
    private var bytes: [UInt8]

    init(byteCount: Int) { bytes = [UInt8](repeating: 0, count: byteCount) }

    mutating func withBytes<R>(_ counter: UInt64, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: counter.bigEndian, as: UInt64.self)
            return unsafe body(UnsafeRawBufferPointer(bytes))
        }
    }
}

/// swift-crypto's one-shot call, with an existing key or with a new one for each message.
struct OneShotHMAC: CodePeer {
    let algorithm: HashAlgorithm
    let makesKeys: Bool
    var message: PeerMessage
    var key = SymmetricKey(data: oneTimePasswordSeed)

    init(_ algorithm: HashAlgorithm, makesKeys: Bool = false, messageByteCount: Int = 8) {
        self.algorithm = algorithm
        self.makesKeys = makesKeys
        message = PeerMessage(byteCount: messageByteCount)
    }

    mutating func number(_ counter: UInt64) -> UInt32 {
        if makesKeys { key = SymmetricKey(data: oneTimePasswordSeed) }
        let key = key
        let algorithm = algorithm
        return unsafe message.withBytes(counter) { message in
            switch algorithm {
            case .sha1:
                unsafe HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key).withUnsafeBytes(truncated)
            case .sha256: unsafe HMAC<SHA256>.authenticationCode(for: message, using: key).withUnsafeBytes(truncated)
            case .sha512: unsafe HMAC<SHA512>.authenticationCode(for: message, using: key).withUnsafeBytes(truncated)
            }
        }
    }
}

/// swift-crypto with a keyed value that is copied for each message.
struct CopiedHMAC: CodePeer {
    private enum Keyed {
        case sha1(HMAC<Insecure.SHA1>)
        case sha256(HMAC<SHA256>)
        case sha512(HMAC<SHA512>)
    }

    private let keyed: Keyed
    private var message: PeerMessage

    init(_ algorithm: HashAlgorithm, messageByteCount: Int = 8) {
        let key = SymmetricKey(data: oneTimePasswordSeed)
        keyed =
            switch algorithm {
            case .sha1: .sha1(HMAC(key: key))
            case .sha256: .sha256(HMAC(key: key))
            case .sha512: .sha512(HMAC(key: key))
            }
        message = PeerMessage(byteCount: messageByteCount)
    }

    mutating func number(_ counter: UInt64) -> UInt32 {
        let keyed = keyed
        return unsafe message.withBytes(counter) { message in
            switch keyed {
            case .sha1(let hmac): unsafe Self.number(hmac, message)
            case .sha256(let hmac): unsafe Self.number(hmac, message)
            case .sha512(let hmac): unsafe Self.number(hmac, message)
            }
        }
    }

    private static func number<H: HashFunction>(_ hmac: HMAC<H>, _ message: UnsafeRawBufferPointer) -> UInt32 {
        var copy = hmac
        unsafe copy.update(data: message)
        return unsafe copy.finalize().withUnsafeBytes(truncated)
    }
}
