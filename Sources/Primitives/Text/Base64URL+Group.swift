#if _endian(big)
    #error("groups are read from memory and written to it with the lowest byte first")
#endif

// Converts sixteen characters or twelve bytes at a time in vector registers that every processor has. No branch and no
// address depends on a character. Only the validity of a text influences the time.
extension Base64URL {
    /// Sixteen characters, or their values of six bits.
    typealias Lanes = SIMD16<Int8>

    // MARK: From bytes

    /// Returns the values of twelve bytes. It reads two words, which are fourteen bytes.
    @inline(__always)
    static func sextets(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Lanes {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        let second = unsafe bytes.loadUnaligned(fromByteOffset: start + 6, as: UInt64.self)
        return spread(SIMD2(first.bigEndian, second.bigEndian) &>> SIMD2(repeating: 16))
    }

    /// Returns the values of up to twelve bytes at the end.
    static func sextets(_ bytes: Span<UInt8>, at start: Int, count: Int) -> Lanes {
        var (first, second): (UInt64, UInt64) = (0, 0)
        for index in 0..<min(count, 6) { first |= UInt64(bytes[start + index]) &<< UInt64(40 - index * 8) }
        for index in 6..<max(count, 6) { second |= UInt64(bytes[start + index]) &<< UInt64(88 - index * 8) }
        return spread(SIMD2(first, second))
    }

    /// Returns eight values for the lower 48 bits of each word, in the order of memory.
    @inline(__always)
    private static func spread(_ words: SIMD2<UInt64>) -> Lanes {
        var words = words
        words = (words &>> both(24)) | ((words & both(0xFF_FFFF)) &<< both(32))
        words = ((words &>> both(12)) & both(0xFFF_0000_0FFF)) | ((words & both(0xFFF_0000_0FFF)) &<< both(16))
        words = ((words &>> both(6)) & both(0x3F_003F_003F_003F)) | ((words & both(0x3F_003F_003F_003F)) &<< both(8))
        return unsafe unsafeBitCast(words, to: Lanes.self)
    }

    @inline(__always)
    static func characters(of values: Lanes) -> Lanes {
        values &+ all(65)
            &+ (above(25, values) & all(6)) &- (above(51, values) & all(75))
            &- (above(61, values) & all(13)) &+ (above(62, values) & all(49))
    }

    // MARK: From characters

    @inline(__always)
    static func group(_ text: Span<UInt8>, at start: Int) -> Lanes {
        unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: Lanes.self)
    }

    /// Returns the last characters of a text, completed with characters of the value 0.
    static func partialGroup(_ text: Span<UInt8>, at start: Int) -> Lanes {
        var group = all(65)
        for index in start..<text.count { group[index - start] = Int8(truncatingIfNeeded: text[index]) }
        return group
    }

    /// Returns the values of sixteen characters, and -1 for a character that is not part of the alphabet.
    @inline(__always)
    static func values(of characters: Lanes) -> Lanes {
        let letters =
            (between(64, 91, characters) & (characters &- all(64)))
            | (between(96, 123, characters) & (characters &- all(70)))
        let others =
            (between(47, 58, characters) & (characters &+ all(5)))
            | (between(44, 46, characters) & all(63)) | (between(94, 96, characters) & all(64))
        return (letters | others) &- all(1)
    }

    @inline(__always)
    static func areValid(_ values: Lanes) -> Bool {
        let words = unsafe unsafeBitCast(values, to: SIMD2<UInt64>.self)
        return (words[0] | words[1]) & 0x8080_8080_8080_8080 == 0
    }

    /// Returns the twelve bytes of sixteen values, six in each word, in the order of memory.
    @inline(__always)
    static func octets(_ values: Lanes) -> SIMD2<UInt64> {
        var words = unsafe unsafeBitCast(values, to: SIMD2<UInt64>.self)
        words = ((words & both(0x3F_003F_003F_003F)) &<< both(6)) | ((words &>> both(8)) & both(0x3F_003F_003F_003F))
        words = ((words & both(0xFFF_0000_0FFF)) &<< both(12)) | ((words &>> both(16)) & both(0xFFF_0000_0FFF))
        words = ((words & both(0xFF_FFFF)) &<< both(24)) | (words &>> both(32))
        return SIMD2((words[0] &<< 16).bigEndian, (words[1] &<< 16).bigEndian)
    }

    // MARK: Lanes

    // An operator between two vectors is one instruction. An operator between a vector and a number works lane by lane,
    // and a comparison branches.

    @inline(__always)
    private static func all(_ value: Int8) -> Lanes { Lanes(repeating: value) }

    @inline(__always)
    private static func both(_ value: UInt64) -> SIMD2<UInt64> { SIMD2(repeating: value) }

    /// Returns all ones in the lanes that are greater than a bound, and zero in the others.
    @inline(__always)
    private static func above(_ bound: Int8, _ lanes: Lanes) -> Lanes {
        unsafe unsafeBitCast(lanes .> all(bound), to: Lanes.self)
    }

    /// Returns all ones in the lanes that are between two bounds, and zero in the others. A byte that is not ASCII is
    /// negative and between no bounds.
    @inline(__always)
    private static func between(_ low: Int8, _ high: Int8, _ lanes: Lanes) -> Lanes {
        unsafe above(low, lanes) & unsafeBitCast(lanes .< all(high), to: Lanes.self)
    }
}

extension OutputSpan<UInt8> {
    /// Appends the characters of all groups except the last bytes. One call converts all groups, because the access to
    /// the span takes longer than the conversion of a group.
    ///
    /// - Returns: The number of bytes that were converted.
    @inline(__always)
    mutating func appendGroups(of bytes: Span<UInt8>) -> Int {
        let groups = max(0, (bytes.count - 2) / 12)
        precondition(groups * 16 <= freeCapacity, "a text longer than its length")
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
                let target = UnsafeMutableRawBufferPointer(buffer)
                for index in 0..<groups {
                    let group = unsafe Base64URL.characters(of: Base64URL.sextets(bytes, at: index * 12))
                    unsafe target.storeBytes(
                        of: group, toByteOffset: initializedCount + index * 16, as: Base64URL.Lanes.self)
                }
                initializedCount += groups * 16
            }
        }
        return groups * 12
    }

    /// Appends the first characters of a group.
    @inline(__always)
    mutating func append(_ group: Base64URL.Lanes, count: Int) {
        precondition(count <= freeCapacity, "a text longer than its length")
        unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
            unsafe withUnsafeBytes(of: group) { group in
                let target = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[initializedCount...])
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: group[..<count]))
            }
            initializedCount += count
        }
    }
}

extension MutableSpan<UInt8> {
    /// Stores the first bytes of a group, six of each word.
    @inline(__always)
    mutating func store(_ words: SIMD2<UInt64>, at start: Int, count: Int) {
        unsafe withUnsafeMutableBytes { buffer in
            guard count < 12 || start + 14 > buffer.count else {
                unsafe buffer.storeBytes(of: words[0], toByteOffset: start, as: UInt64.self)
                return unsafe buffer.storeBytes(of: words[1], toByteOffset: start + 6, as: UInt64.self)
            }
            for index in 0..<count {
                unsafe buffer[start + index] = UInt8(truncatingIfNeeded: words[index / 6] >> UInt64(index % 6 * 8))
            }
        }
    }
}
