extension Provisioning {
    /// One crypto application of a device: what kind of code it makes.
    package struct Application: Sendable, Hashable {
        package enum Kind: UInt64, Sendable {
            /// A code of the time (RFC 6238).
            case totp = 0
            /// A code of a counter (RFC 4226).
            case hotp = 1
            /// A code over a challenge (RFC 6287).
            case challenge = 2
            /// A code over data and a counter (RFC 6287).
            case signature = 3
        }

        /// 1 to 8.
        package var index: UInt8

        package var kind: Kind

        /// 6 to 10.
        package var digits: Int

        /// The length of a time step in seconds, one day at most; 0 where time plays no part.
        package var period: Int

        /// Whether the platform answers an accepted code with one of its own.
        package var hostCode: Bool

        package init(index: UInt8, kind: Kind, digits: Int, period: Int, hostCode: Bool) {
            self.index = index
            self.kind = kind
            self.digits = digits
            self.period = period
            self.hostCode = hostCode
        }

        init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 5)
            index = UInt8(try reader.readNumber(in: 1...8))
            let kindStart = reader.offset
            guard let kind = Kind(rawValue: try reader.readUnsigned()) else {
                throw WireError(.invalidValue, offset: kindStart)
            }
            self.kind = kind
            digits = try reader.readNumber(in: 6...10)
            // A step of no length would divide by zero.
            period = try reader.readNumber(in: kind == .totp ? 1...86_400 : 0...0)
            hostCode = try reader.readBoolean()
        }

        func write(to output: inout some CBOROutput) {
            output.array(5)
            output.unsigned(UInt64(index))
            output.unsigned(kind.rawValue)
            output.integer(Int64(digits))
            output.integer(Int64(period))
            output.boolean(hostCode)
        }
    }
}
