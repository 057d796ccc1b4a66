package import Primitives

extension Provisioning {
    /// A crypto application of a device: the kind of its codes.
    package struct Application: Sendable, Hashable {
        package enum Kind: UInt64, Sendable {
            /// A code of a time step (RFC 6238).
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

        /// The length of a time step in seconds, 1 to 86,400; 0 for codes that do not depend on the time.
        package var timeStep: Int

        /// Whether the platform answers an accepted code with a host code.
        package var hostCode: Bool

        package init(index: UInt8, kind: Kind, digits: Int, timeStep: Int, hostCode: Bool) {
            self.index = index
            self.kind = kind
            self.digits = digits
            self.timeStep = timeStep
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
            // The number of a time step is a division by its length.
            timeStep = try reader.readNumber(in: kind == .totp ? 1...86_400 : 0...0)
            hostCode = try reader.readBoolean()
        }

        func write(to output: inout some CBOROutput) {
            output.array(5)
            output.unsigned(UInt64(index))
            output.unsigned(kind.rawValue)
            output.integer(Int64(digits))
            output.integer(Int64(timeStep))
            output.boolean(hostCode)
        }
    }
}

/// The wire form of a `PINPolicy`.
///
/// The format has wider limits than a policy, because a later version may widen the policies. A device refuses a form
/// that is not a `PINPolicy`.
package struct PINPolicyForm: Sendable, Hashable {
    /// In characters, 1 to 128.
    package var minimumLength: Int

    /// In characters, from the minimum to 128.
    package var maximumLength: Int

    package var digitsOnly: Bool

    /// 1 to 255.
    package var tries: Int

    package init(minimumLength: Int, maximumLength: Int, digitsOnly: Bool, tries: Int) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.digitsOnly = digitsOnly
        self.tries = tries
    }

    /// Creates the form of a policy.
    package init(_ policy: PINPolicy) {
        self.init(
            minimumLength: policy.minimumLength, maximumLength: policy.maximumLength, digitsOnly: policy.digitsOnly,
            tries: policy.tries)
    }

    /// The policy, or nil when a value is outside the limits of one.
    package var policy: PINPolicy? {
        PINPolicy(minimumLength: minimumLength, maximumLength: maximumLength, digitsOnly: digitsOnly, tries: tries)
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 4)
        minimumLength = try reader.readNumber(in: 1...128)
        maximumLength = try reader.readNumber(in: minimumLength...128)
        digitsOnly = try reader.readBoolean()
        tries = try reader.readNumber(in: 1...255)
    }

    func write(to output: inout some CBOROutput) {
        output.array(4)
        output.integer(Int64(minimumLength))
        output.integer(Int64(maximumLength))
        output.boolean(digitsOnly)
        output.integer(Int64(tries))
    }
}
