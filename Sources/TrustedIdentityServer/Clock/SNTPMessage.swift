internal import Primitives

/// A request of a client of the Simple Network Time Protocol, version 4 (RFC 4330, RFC 5905).
struct SNTPRequest: Sendable, Equatable {
    /// The bytes of a message without extensions.
    static let byteCount = 48

    /// Random bytes in the place of the time of the client, 8 bytes. The server sends them back, so that a reply which
    /// answers no request is recognized, and the message does not show the clock of the client.
    let nonce: [UInt8]

    /// The message: no warning, version 4, mode 3 (client); all other fields are zero.
    var encoded: [UInt8] { [0b00_100_011] + [UInt8](repeating: 0, count: 39) + nonce }
}

/// The reply of a server, after all checks.
struct SNTPReply: Sendable, Equatable {
    /// The time at which the server received the request.
    let receivedAt: Timestamp
    /// The time at which it sent the reply.
    let sentAt: Timestamp

    /// The seconds from 1900, where the protocol begins to count, to 1970.
    private static let secondsTo1970: Int64 = 2_208_988_800

    /// Reads a reply.
    ///
    /// - Throws: ``SNTPError``.
    init(_ bytes: [UInt8], to request: SNTPRequest) throws(SNTPError) {
        // 1. The message is whole. Extensions and a code may follow; nothing in them is used.
        guard bytes.count >= SNTPRequest.byteCount else { throw .malformed }
        // 2. It answers this very request. Others can send packets to the port of the client, and do not know the bytes.
        guard Array(bytes[24..<32]) == request.nonce else { throw .otherRequest }
        // 3. It is of a server, and of the version of the request.
        guard bytes[0] & 0b111 == 4, bytes[0] >> 3 & 0b111 == 4 else { throw .malformed }
        let stratum = bytes[1]
        // 4. The server does not refuse (RFC 5905, section 7.4).
        if stratum == 0 {
            let letters = bytes[12..<16].filter { (0x41...0x5A).contains($0) }
            throw .kissOfDeath(String(decoding: letters, as: UTF8.self))
        }
        // 5. The server knows the time: neither the warning nor the distance from a clock says otherwise.
        guard bytes[0] >> 6 != 3, stratum < 16 else { throw .notSynchronized }
        // 6. It knows the time well: the distance to the clock is below a second (RFC 5905, section 7.2).
        let (delay, dispersion) = (Self.number(bytes[4..<8]), Self.number(bytes[8..<12]))
        guard delay / 2 + dispersion < 1 << 16 else { throw .notSynchronized }
        guard let receivedAt = Self.time(bytes[32..<40]), let sentAt = Self.time(bytes[40..<48]), sentAt >= receivedAt
        else { throw .malformed }
        self.receivedAt = receivedAt
        self.sentAt = sentAt
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Returns a time; nil for zero, which stands for none. Numbers below the half of the range begin in 2036 (RFC 4330,
    /// section 3).
    private static func time(_ bytes: ArraySlice<UInt8>) -> Timestamp? {
        let number = number(bytes)
        guard number != 0 else { return nil }
        let seconds = Int64(number >> 32) + (number >> 63 == 0 ? 1 << 32 : 0)
        let milliseconds = (Int64(number & 0xFFFF_FFFF) * 1_000) >> 32
        return Timestamp(millisecondsSinceEpoch: (seconds - secondsTo1970) * 1_000 + milliseconds)
    }
}

/// The reason why the time of a server is not known.
enum SNTPError: Error, Equatable {
    /// The server cannot be reached, or its name has no address.
    case unreachable
    /// No reply came in time.
    case silent
    /// A reply is cut off, or is none of a server.
    case malformed
    /// A reply answers another request. It may be forged.
    case otherRequest
    /// The server refuses requests, with a code such as `RATE` or `DENY`.
    case kissOfDeath(String)
    /// The server does not know the time itself, or not well.
    case notSynchronized
    /// The reply was on the way for so long that it says too little.
    case late

    /// The reason, for an administrator.
    var message: String {
        switch self {
        case .unreachable: "it cannot be reached"
        case .silent: "it does not answer"
        case .malformed: "it gave a reply of another form"
        case .otherRequest: "it answered another request"
        case .kissOfDeath(let code): "it refuses requests (\(code))"
        case .notSynchronized: "it does not know the time"
        case .late: "its reply came too late"
        }
    }
}
