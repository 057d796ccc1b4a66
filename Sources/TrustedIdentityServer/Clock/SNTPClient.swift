internal import NIOCore
internal import NIOPosix
internal import Primitives
internal import TrustedIdentity

/// A client of the Simple Network Time Protocol: one packet to a server, and the wait for its reply.
struct SNTPClient: Sendable {
    /// The time within which a reply comes.
    static let timeout = Duration.seconds(5)
    /// The most packets that are read. Anyone can send some to an open port.
    static let packetLimit = 64

    let time: any TimeSource
    let random: any RandomSource
    /// A function that looks up the name of a server. It may block its thread.
    var lookUp: @Sendable (ListenAddress) throws -> SocketAddress = {
        try SocketAddress.makeAddressResolvingHost($0.host, port: $0.port)
    }

    /// Measures the time of a server.
    ///
    /// - Throws: ``SNTPError``; `CancellationError`.
    func query(_ server: ListenAddress) async throws -> ReferenceTime {
        guard let address = try await address(of: server) else { throw SNTPError.unreachable }
        let (packets, arrived) = AsyncStream.makeStream(
            of: [UInt8].self, bufferingPolicy: .bufferingNewest(Self.packetLimit))
        let channel: any Channel
        do {
            // A connected socket takes packets of this server only, and gets an error when no server listens.
            channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(PacketHandler(arrived))
                    }
                }
                .connect(to: address).get()
        } catch {
            throw SNTPError.unreachable
        }
        do {
            let time = try await exchange(packets, on: channel)
            try? await channel.close()
            return time
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// Looks up the name of a server, on a thread that may block.
    ///
    /// The system's lookup cannot be canceled. This method returns when the task is canceled or the timeout has passed,
    /// and ignores a later result, so that a name service that does not answer cannot delay the end of the server.
    ///
    /// - Returns: The address; `nil` when there is none.
    /// - Throws: `CancellationError`.
    private func address(of server: ListenAddress) async throws -> SocketAddress? {
        let (addresses, found) = AsyncStream.makeStream(of: SocketAddress?.self)
        NIOThreadPool.singleton.submit { [lookUp] _ in
            found.yield(try? lookUp(server))
            found.finish()
        }
        return try await time.result(within: Self.timeout, or: nil) {
            for await address in addresses { return address }
            return nil
        }
    }

    private func exchange(_ packets: AsyncStream<[UInt8]>, on channel: any Channel) async throws -> ReferenceTime {
        let request = SNTPRequest(nonce: random.bytes(8))
        let begin = time.uptime()
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: request.encoded))
        } catch {
            throw SNTPError.unreachable
        }
        let reply = try await time.result(within: Self.timeout, or: Result<SNTPReply, SNTPError>.failure(.silent)) {
            await Self.reply(to: request, in: packets)
        }.get()
        let way = time.uptime() - begin - .milliseconds(reply.sentAt.milliseconds(since: reply.receivedAt))
        // A reply cannot be faster than the work of the server, except by the rounding of the times.
        guard way >= .milliseconds(-2), way < Self.timeout else { throw SNTPError.late }
        let half = max(.zero, way) / 2
        return ReferenceTime(
            time: reply.sentAt.advanced(milliseconds: half.wholeMilliseconds), uptime: time.uptime(),
            uncertainty: half + .milliseconds(1))
    }

    /// Returns the first reply that answers the request. Up to 63 others are passed over, so that a forged one does not
    /// end the query.
    private static func reply(
        to request: SNTPRequest, in packets: AsyncStream<[UInt8]>
    ) async -> Result<SNTPReply, SNTPError> {
        var (failure, count) = (SNTPError.unreachable, 0)
        for await packet in packets {
            do {
                return .success(try SNTPReply(packet, to: request))
            } catch SNTPError.otherRequest {
                failure = .otherRequest
            } catch SNTPError.malformed {
                failure = .malformed
            } catch let error {
                return .failure(error)
            }
            count += 1
            guard count < packetLimit else { break }
        }
        return .failure(failure)
    }
}

/// Passes the bytes of packets on, and ends with the socket.
private final class PacketHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let packets: AsyncStream<[UInt8]>.Continuation

    init(_ packets: AsyncStream<[UInt8]>.Continuation) { self.packets = packets }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        packets.yield(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) { packets.finish() }
}
