import Dispatch
import NIOCore
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity
@testable import TrustedIdentityServer

/// The client of the Simple Network Time Protocol, against a server on this machine.
@Suite struct SNTPTests {
    private let time = ManualTimeSource()

    private var client: SNTPClient { SNTPClient(time: time, random: SeededRandomSource(seed: 1)) }

    /// A right reply, which a test changes.
    private static func reply(_ nonce: [UInt8], at moment: Timestamp) -> TimeServer.Reply {
        TimeServer.Reply(nonce: nonce, receivedAt: TimeServer.number(moment), sentAt: TimeServer.number(moment))
    }

    private func expect(_ error: SNTPError, _ change: @escaping @Sendable (inout TimeServer.Reply) -> Void) async throws
    {
        let moment = time.now()
        try await TimeServer.serving { nonce in
            var reply = Self.reply(nonce, at: moment)
            change(&reply)
            return [reply.bytes]
        } _: { server in
            await #expect(throws: error) { _ = try await client.query(server.address) }
        }
    }

    @Test func `the time of a server is measured by one packet that shows nothing of the client`() async throws {
        let moment = time.now().advanced(milliseconds: 12_345)
        try await TimeServer.serving {
            [Self.reply($0, at: moment).bytes]
        } _: { server in
            let measured = try await client.query(server.address)
            #expect(measured.time == moment && measured.uptime == .zero)
            #expect(measured.uncertainty <= .milliseconds(2))
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1 && request.count == 48 && request[0] == 0b00_100_011)
            #expect(request[1..<40].allSatisfy { $0 == 0 } && request[40..<48].contains { $0 != 0 })
        }
    }

    @Test func `half of the way of the packet belongs to the time, and is what it can be wrong by`() async throws {
        let (moment, time) = (time.now(), time)
        try await TimeServer.serving { nonce in
            time.advance(milliseconds: 400)
            return [Self.reply(nonce, at: moment).bytes]
        } _: { server in
            let measured = try await client.query(server.address)
            #expect(measured.time == moment.advanced(milliseconds: 200))
            #expect(measured.uncertainty == .milliseconds(201) && measured.uptime == .milliseconds(400))
        }
    }

    @Test func `a name service that does not answer delays neither a stop nor the next query`() async throws {
        let (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        defer { for _ in 0..<2 { end.signal() } }
        var blocked = client
        blocked.lookUp = { _ in
            isEntered.yield()
            end.wait()
            throw SNTPError.unreachable
        }
        let (client, server) = (blocked, ListenAddress(host: "time.example", port: 123))
        var lookUps = entered.makeAsyncIterator()
        let stopped = Task { try await client.query(server) }
        await lookUps.next()
        stopped.cancel()
        await #expect(throws: CancellationError.self) { try await stopped.value }

        let late = Task { try await client.query(server) }
        await lookUps.next()
        await time.sleepers(1)
        time.advance(seconds: 5)
        await #expect(throws: SNTPError.unreachable) { try await late.value }
    }

    @Test(arguments: ["RATE", "DENY", "RSTR"])
    func `a kiss-o'-death is the refusal of the server`(code: String) async throws {
        try await expect(.kissOfDeath(code)) { reply in
            reply.stratum = 0
            reply.warning = 3
            reply.identifier = Array(code.utf8)
        }
    }

    @Test func `a server that does not know the time is not believed`() async throws {
        try await expect(.notSynchronized) { $0.warning = 3 }
        try await expect(.notSynchronized) { $0.stratum = 16 }
        try await expect(.notSynchronized) { $0.rootDispersion = 1 << 16 }
        try await expect(.notSynchronized) { $0.rootDelay = .max }
    }

    /// Runs a query whose packets are passed over, and that ends when its time is over.
    private func expectSilence(_ error: SNTPError, _ packets: @escaping @Sendable ([UInt8]) -> [[UInt8]]) async throws {
        try await TimeServer.serving(packets) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [client] in
                    await #expect(throws: error) { _ = try await client.query(server.address) }
                }
                while server.requests.isEmpty { await Task.yield() }
                await time.sleepers(1)
                time.advance(seconds: 5)
                try await group.waitForAll()
            }
        }
    }

    @Test func `a silent server ends the query after five seconds`() async throws {
        try await expectSilence(.silent) { _ in [] }
    }

    @Test func `cut, foreign and forged packets are passed over`() async throws {
        let moment = time.now()
        try await expectSilence(.silent) { nonce in
            let right = Self.reply(nonce, at: moment)
            var (forged, client, version, empty) = (right, right, right, right)
            forged.nonce[7] ^= 1
            client.mode = 3
            version.version = 3
            empty.sentAt = 0
            return [[], Array(right.bytes.dropLast()), [0xA5]] + [forged, client, version, empty].map(\.bytes)
        }
    }

    @Test func `a forged reply before the right one changes nothing`() async throws {
        let moment = time.now()
        try await TimeServer.serving { nonce in
            var forged = Self.reply(nonce, at: moment.advanced(seconds: 86_400))
            forged.nonce[0] ^= 0x80
            return [forged.bytes, Self.reply(nonce, at: moment).bytes]
        } _: { server in
            let measured = try await client.query(server.address)
            #expect(measured.time == moment)
        }
    }

    @Test func `a flood of packets ends the query`() async throws {
        try await TimeServer.serving { _ in
            Array(repeating: [0xA5], count: 4 * SNTPClient.packetLimit)
        } _: { server in
            await #expect(throws: SNTPError.malformed) { _ = try await client.query(server.address) }
        }
    }

    @Test func `a port where nothing listens is an error at once`() async throws {
        // The port of the discard service is not in use on a test machine.
        await #expect(throws: SNTPError.unreachable) {
            _ = try await client.query(ListenAddress(host: "127.0.0.1", port: 9))
        }
    }

    @Test func `a time after the seventh of February 2036 is read`() throws {
        let moment = Timestamp(secondsSinceEpoch: 2_085_978_496 + 1_000)
        var reply = Self.reply([1, 2, 3, 4, 5, 6, 7, 8], at: time.now())
        (reply.receivedAt, reply.sentAt) = (1_000 << 32, 1_000 << 32)
        #expect(try SNTPReply(reply.bytes, to: SNTPRequest(nonce: reply.nonce)).sentAt == moment)
    }
}
