extension Provisioning {
    /// The public key that the platform signs with.
    package struct SigningKey: Sendable, Hashable {
        /// The first 8 bytes of the SHA-256 of the key.
        package var kid: [UInt8]

        /// The Ed25519 public key.
        package var bytes: [UInt8]

        package init(kid: [UInt8], bytes: [UInt8]) {
            self.kid = kid
            self.bytes = bytes
        }

        init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 2)
            kid = try reader.readBytes(count: FieldSize.keyID)
            bytes = try reader.readBytes(count: FieldSize.ed25519Key)
        }

        func write(to output: inout some CBOROutput) {
            output.array(2)
            output.bytes(kid)
            output.bytes(bytes)
        }
    }

    /// A public key that requests are sealed to.
    package struct SealingKey: Sendable, Hashable {
        /// The first 8 bytes of the SHA-256 of the key.
        package var kid: [UInt8]

        package var suite: UInt64

        /// The public key of the suite; of a suite that we do not know it may be as long as the longest we know.
        package var bytes: [UInt8]

        package init(kid: [UInt8], suite: UInt64, bytes: [UInt8]) {
            self.kid = kid
            self.suite = suite
            self.bytes = bytes
        }

        init(from reader: inout CBORReader) throws(WireError) {
            try reader.readArray(count: 3)
            kid = try reader.readBytes(count: FieldSize.keyID)
            suite = try reader.readNumber()
            bytes =
                switch suite {
                case 1: try reader.readBytes(count: FieldSize.share)
                case ActivationOffer.hybridSuite: try reader.readBytes(count: FieldSize.hybridKey)
                default: try reader.readBytes(maximum: FieldSize.hybridKey)
                }
        }

        func write(to output: inout some CBOROutput) {
            output.array(3)
            output.bytes(kid)
            output.unsigned(suite)
            output.bytes(bytes)
        }
    }
}
