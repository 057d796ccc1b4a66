package import Primitives

/// Shows that the sender has the secret of an instance, over the signed message that it comes with.
///
/// It stands beside the signature and never inside: who keeps the signed message has nothing to test a password with.
package struct InstanceProof: Sendable, Hashable {
    package var instance: Instance

    /// The code of the authentication method.
    package var method: UInt8

    /// Which generation of the instance's secret it is.
    package var generation: UInt64

    /// HMAC-SHA-256 over the bytes of the signed message.
    package var tag: [UInt8]

    package init(instance: Instance, method: UInt8, generation: UInt64, tag: [UInt8]) {
        self.instance = instance
        self.method = method
        self.generation = generation
        self.tag = tag
    }

    init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 4)
        instance = try reader.readNumber(in: 1...2) == 1 ? .password : .possession
        method = UInt8(try reader.readNumber(in: 0...255))
        generation = try reader.readNumber()
        tag = try reader.readBytes(count: FieldSize.hash)
    }

    func write(to output: inout some CBOROutput) {
        output.array(4)
        output.unsigned(UInt64(instance.rawValue))
        output.unsigned(UInt64(method))
        output.unsigned(generation)
        output.bytes(tag)
    }
}
