#if BenchmarkPeers
    import CLibOATH
    import OneTimePassword

    /// liboath, which prepares the key for each code and returns the digits as text.
    struct LibOATH: CodePeer {
        private let flags: Int32
        private let seed = oneTimePasswordSeed.map { CChar(bitPattern: $0) }

        init(_ algorithm: HashAlgorithm) {
            flags =
                switch algorithm {
                case .sha1: 0
                case .sha256: Int32(bitPattern: OATH_TOTP_HMAC_SHA256.rawValue)
                case .sha512: Int32(bitPattern: OATH_TOTP_HMAC_SHA512.rawValue)
                }
        }

        /// Returns the first four of the six digits, as characters.
        func number(_ counter: UInt64) -> UInt32 {
            unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { text in
                let output = unsafe text.bindMemory(to: CChar.self).baseAddress
                // With a time step of one second, the time is the counter.
                unsafe oath_totp_generate2(seed, seed.count, Int(counter), 1, 0, 6, flags, output)
                return unsafe text.load(as: UInt32.self)
            }
        }

        /// Searches for a code in a window, with SHA-1. It stops at the first match.
        func verify(_ code: String, from counter: UInt64, places: Int) -> Int32 {
            unsafe oath_hotp_validate(seed, seed.count, counter, places - 1, code)
        }
    }
#endif
