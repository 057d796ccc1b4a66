import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The limits on requests that prove no device in time.
struct RequestLimiterTests {
    let register = RequestBody.notificationsRegister(identifier: "pull:1")
    let address = "192.0.2.1"

    /// A platform with five requests for an address, and ten more for each device that a request from it names.
    func harness() async throws -> Harness {
        try await Harness(.init(postQuantum: .off, requestsPerDevice: 10, requestsPerAddress: 5))
    }

    func outcome(_ command: OrchestrationCommand, from address: String, _ harness: Harness) async throws -> String {
        do {
            _ = try await harness.platform.execute(command, from: address)
            return "answered"
        } catch let error as PlatformError {
            return "\(error.code)"
        }
    }

    @Test func `authentic requests outside their time are limited by address`() async throws {
        let harness = try await harness()
        let (device, other) = (try await harness.activate(), try await harness.activate("bob@master"))
        for _ in 0..<15 {
            let late = try await device.seal(register, lifetime: -1, to: harness)
            #expect(try await outcome(late.command, from: address, harness) == "answered")
        }
        let late = try await device.seal(register, lifetime: -1, to: harness)
        #expect(try await outcome(late.command, from: address, harness) == "busy")
        #expect(try await outcome(late.command, from: "192.0.2.2", harness) == "answered")
        let sent = try await other.seal(register, to: harness)
        let answer = try await harness.platform.execute(sent.command, from: address)
        #expect(try other.open(answer, to: sent).refusal == nil, "a device behind the same address goes on")
    }

    @Test func `repeats are limited by address, and the first of them are answered`() async throws {
        let harness = try await harness()
        let command = try await harness.activate().seal(register, to: harness).command
        let answer = try await harness.platform.execute(command, from: address)
        for _ in 0..<15 { #expect(try await harness.platform.execute(command, from: address) == answer) }
        #expect(try await outcome(command, from: address, harness) == "busy")
        harness.time.advance(milliseconds: 12_000)
        #expect(try await harness.platform.execute(command, from: address) == answer, "as its share flows in again")
    }

    @Test func `requests that are not authentic are limited before they are opened`() async throws {
        let harness = try await harness()
        let device = try await harness.activate()
        var bytes = try await device.seal(register, to: harness).command.bytes
        bytes[bytes.count - 1] ^= 1
        let damaged = try OrchestrationCommand(bytes: bytes)
        // Over its limit, the address gets the same error as for a device that does not exist.
        for _ in 0..<5 { #expect(try await outcome(damaged, from: address, harness) == "undecodableCommand") }
        for _ in 0..<20 { #expect(try await outcome(damaged, from: address, harness) == "busy") }
    }

    @Test func `an address over its limit does not learn which devices exist`() async throws {
        let harness = try await harness()
        let unknown = try await harness.activate().seal(register, to: harness).command
        let empty = try await self.harness()
        for _ in 0..<5 { #expect(try await outcome(unknown, from: address, empty) == "undecodableCommand") }
        for _ in 0..<20 { #expect(try await outcome(unknown, from: address, empty) == "busy") }
    }

    @Test func `a request that proves its device does not charge its address`() async throws {
        let harness = try await Harness(.init(postQuantum: .off, requestsPerDevice: 6_000, requestsPerAddress: 1))
        let device = try await harness.activate()
        for _ in 0..<30 {
            let sent = try await device.seal(register, to: harness)
            let answer = try await harness.platform.execute(sent.command, from: address)
            #expect(try device.open(answer, to: sent).refusal == nil)
        }
        #expect(try await outcome(OrchestrationCommand(bytes: [0x81, 0x01]), from: address, harness) != "busy")
    }

    @Test func `a device over its own limit is limited by address, too`() async throws {
        let harness = try await harness()
        let device = try await harness.activate()
        var answered = 0
        for _ in 0..<40 {
            let sent = try await device.seal(register, to: harness)
            if try await outcome(sent.command, from: address, harness) == "answered" { answered += 1 }
        }
        // Two of the ten requests of the device were for the activation.
        #expect(answered == 8 + 15)
    }
}
