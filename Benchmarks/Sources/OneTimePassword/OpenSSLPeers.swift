#if BenchmarkPeers
    import Benchmark
    import COpenSSL
    import OneTimePassword

    /// Registers OpenSSL with each of its ways to keep a key, from the simplest to the recommended one.
    func openSSLBenchmarks(_ name: String, _ algorithm: HashAlgorithm) {
        switch algorithm {
        case .sha1: peerBenchmark("\(name)--peer-openssl-sha-ctx") { CopiedContext<SHA_CTX>() }
        case .sha256: peerBenchmark("\(name)--peer-openssl-sha-ctx") { CopiedContext<SHA256_CTX>() }
        case .sha512: peerBenchmark("\(name)--peer-openssl-sha-ctx") { CopiedContext<SHA512_CTX>() }
        }
        peerBenchmark("\(name)--peer-openssl-hmac-ctx") { try OpenSSLContext(algorithm) }
        peerBenchmark("\(name)--peer-openssl-evp-mac") { try OpenSSLMAC(algorithm) }
        peerBenchmark("\(name)--peer-openssl-hmac") { OpenSSLOneShot(algorithm) }
    }

    struct OpenSSLFailed: Error {}

    /// A hash function of OpenSSL's low-level interface, whose states can be copied.
    protocol OpenSSLHash {
        static var blockByteCount: Int { get }
        static var hashByteCount: Int { get }
        init()
        mutating func start()
        mutating func update(_ bytes: UnsafeRawPointer, _ count: Int)
        mutating func finish(_ output: UnsafeMutablePointer<UInt8>)
    }

    extension SHA_CTX: OpenSSLHash {
        static var blockByteCount: Int { 64 }
        static var hashByteCount: Int { 20 }
        mutating func start() { unsafe SHA1_Init(&self) }
        mutating func update(_ bytes: UnsafeRawPointer, _ count: Int) { unsafe SHA1_Update(&self, bytes, count) }
        mutating func finish(_ output: UnsafeMutablePointer<UInt8>) { unsafe SHA1_Final(output, &self) }
    }

    extension SHA256_CTX: OpenSSLHash {
        static var blockByteCount: Int { 64 }
        static var hashByteCount: Int { 32 }
        mutating func start() { unsafe SHA256_Init(&self) }
        mutating func update(_ bytes: UnsafeRawPointer, _ count: Int) { unsafe SHA256_Update(&self, bytes, count) }
        mutating func finish(_ output: UnsafeMutablePointer<UInt8>) { unsafe SHA256_Final(output, &self) }
    }

    extension SHA512_CTX: OpenSSLHash {
        static var blockByteCount: Int { 128 }
        static var hashByteCount: Int { 64 }
        mutating func start() { unsafe SHA512_Init(&self) }
        mutating func update(_ bytes: UnsafeRawPointer, _ count: Int) { unsafe SHA512_Update(&self, bytes, count) }
        mutating func finish(_ output: UnsafeMutablePointer<UInt8>) { unsafe SHA512_Final(output, &self) }
    }

    /// The states after the two paddings of HMAC, copied for each message: the fastest use of OpenSSL.
    struct CopiedContext<Hash: OpenSSLHash>: CodePeer {
        private let inner: Hash
        private let outer: Hash

        init() {
            func state(_ padding: UInt8) -> Hash {
                var block = [UInt8](repeating: padding, count: Hash.blockByteCount)
                for (index, byte) in oneTimePasswordSeed.enumerated() { block[index] ^= byte }
                var hash = Hash()
                hash.start()
                unsafe hash.update(block, block.count)
                return hash
            }
            inner = state(0x36)
            outer = state(0x5C)
        }

        func number(_ counter: UInt64) -> UInt32 {
            unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { digest in
                guard let start = unsafe digest.bindMemory(to: UInt8.self).baseAddress else { return 0 }
                var hash = inner
                unsafe withUnsafeBytes(of: counter.bigEndian) { bytes in
                    if let start = bytes.baseAddress { unsafe hash.update(start, 8) }
                }
                unsafe hash.finish(start)
                hash = outer
                unsafe hash.update(start, Hash.hashByteCount)
                unsafe hash.finish(start)
                return unsafe truncated(UnsafeRawBufferPointer(rebasing: digest[..<Hash.hashByteCount]))
            }
        }
    }

    extension HashAlgorithm {
        var openSSL: OpaquePointer? {
            switch self {
            case .sha1: unsafe EVP_sha1()
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            }
        }
    }

    /// The deprecated `HMAC_CTX`, restarted without a key for each message.
    @safe
    final class OpenSSLContext: CodePeer {
        private let context: OpaquePointer
        private let byteCount: Int

        init(_ algorithm: HashAlgorithm) throws {
            guard let context = unsafe HMAC_CTX_new() else { throw OpenSSLFailed() }
            unsafe self.context = context
            byteCount = algorithm.byteCount
            let key = oneTimePasswordSeed
            guard unsafe HMAC_Init_ex(context, key, Int32(key.count), algorithm.openSSL, nil) == 1 else {
                throw OpenSSLFailed()
            }
        }

        deinit { unsafe HMAC_CTX_free(context) }

        func number(_ counter: UInt64) -> UInt32 {
            unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { digest in
                let start = unsafe digest.bindMemory(to: UInt8.self).baseAddress
                unsafe HMAC_Init_ex(context, nil, 0, nil, nil)
                unsafe withUnsafeBytes(of: counter.bigEndian) { bytes in
                    _ = unsafe HMAC_Update(context, bytes.bindMemory(to: UInt8.self).baseAddress, 8)
                }
                unsafe HMAC_Final(context, start, nil)
                return unsafe truncated(UnsafeRawBufferPointer(rebasing: digest[..<byteCount]))
            }
        }
    }

    /// The current `EVP_MAC` interface, restarted without a key for each message.
    @safe
    final class OpenSSLMAC: CodePeer {
        private let context: OpaquePointer
        private let byteCount: Int
        private var message: PeerMessage

        init(_ algorithm: HashAlgorithm, messageByteCount: Int = 8) throws {
            byteCount = algorithm.byteCount
            message = PeerMessage(byteCount: messageByteCount)
            let method = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
            defer { unsafe EVP_MAC_free(method) }
            guard let context = unsafe EVP_MAC_CTX_new(method) else { throw OpenSSLFailed() }
            unsafe self.context = context
            var digest = Array(algorithm.rawValue.utf8CString)
            let key = oneTimePasswordSeed
            let isKeyed = unsafe digest.withUnsafeMutableBufferPointer { digest in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string("digest", digest.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return unsafe EVP_MAC_init(context, key, key.count, parameters) == 1
            }
            guard isKeyed else { throw OpenSSLFailed() }
        }

        deinit { unsafe EVP_MAC_CTX_free(context) }

        func number(_ counter: UInt64) -> UInt32 {
            unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { digest in
                let start = unsafe digest.bindMemory(to: UInt8.self).baseAddress
                unsafe EVP_MAC_init(context, nil, 0, nil)
                unsafe message.withBytes(counter) { bytes in
                    _ = unsafe EVP_MAC_update(context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
                }
                var count = 0
                unsafe EVP_MAC_final(context, start, &count, 64)
                return unsafe truncated(UnsafeRawBufferPointer(rebasing: digest[..<byteCount]))
            }
        }
    }

    /// The one-shot call, with the key each time.
    struct OpenSSLOneShot: CodePeer {
        private let algorithm: HashAlgorithm

        init(_ algorithm: HashAlgorithm) { self.algorithm = algorithm }

        func number(_ counter: UInt64) -> UInt32 {
            let key = oneTimePasswordSeed
            return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { digest in
                let start = unsafe digest.bindMemory(to: UInt8.self).baseAddress
                unsafe withUnsafeBytes(of: counter.bigEndian) { bytes in
                    let message = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
                    _ = unsafe HMAC(algorithm.openSSL, key, Int32(key.count), message, 8, start, nil)
                }
                return unsafe truncated(UnsafeRawBufferPointer(rebasing: digest[..<algorithm.byteCount]))
            }
        }
    }
#endif
