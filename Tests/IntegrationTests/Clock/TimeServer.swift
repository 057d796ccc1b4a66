import NIOCore
import NIOPosix
import Primitives

@testable import TrustedIdentityServer

/// An NTP server on a UDP port of this machine, with the replies of a test.
struct TimeServer: Sendable {
    /// The parts of a reply.
    struct Reply: Sendable {
        var warning: UInt8 = 0
        var version: UInt8 = 4
        var mode: UInt8 = 4
        var stratum: UInt8 = 2
        var rootDelay: UInt32 = 0x1000
        var rootDispersion: UInt32 = 0x1000
        var identifier = Array("GPS\0".utf8)
        /// The random bytes of the request, unless a test forges them.
        var nonce: [UInt8]
        var receivedAt: UInt64
        var sentAt: UInt64

        var bytes: [UInt8] {
            let numbers = [rootDelay, rootDispersion].flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            }
            let times = [receivedAt, sentAt].flatMap { number in
                (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            }
            return [warning << 6 | version << 3 | mode, stratum, 6, 0xEC] + numbers + identifier
                + [UInt8](repeating: 7, count: 8) + nonce + times
        }
    }

    let address: ListenAddress
    private let received: Recorder<[UInt8]>

    /// The packets that arrived.
    var requests: [[UInt8]] { received.all }

    /// Returns a time as a message has it.
    static func number(_ time: Timestamp) -> UInt64 {
        let milliseconds = UInt64(time.millisecondsSinceEpoch + 2_208_988_800_000)
        // Rounded up, so that the same millisecond is read.
        return (milliseconds / 1_000) << 32 | ((milliseconds % 1_000) << 32 + 999) / 1_000
    }

    /// Serves while the body runs.
    ///
    /// - Parameter respond: Returns the packets that answer one with these random bytes.
    static func serving(
        _ respond: @escaping @Sendable (_ nonce: [UInt8]) -> [[UInt8]],
        _ body: (TimeServer) async throws -> Void
    ) async throws {
        let received = Recorder<[UInt8]>()
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(received: received, respond: respond))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = ListenAddress(host: "127.0.0.1", port: channel.localAddress?.port ?? 0)
        let result = await Result { try await body(TimeServer(address: address, received: received)) }
        try await channel.close()
        try result.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        private let received: Recorder<[UInt8]>
        private let respond: @Sendable ([UInt8]) -> [[UInt8]]

        init(received: Recorder<[UInt8]>, respond: @escaping @Sendable ([UInt8]) -> [[UInt8]]) {
            self.received = received
            self.respond = respond
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            let packet = Array(envelope.data.readableBytesView)
            received.append(packet)
            for answer in respond(Array(packet.suffix(8))) {
                let reply = AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: ByteBuffer(bytes: answer))
                context.writeAndFlush(wrapOutboundOut(reply), promise: nil)
            }
        }
    }
}
