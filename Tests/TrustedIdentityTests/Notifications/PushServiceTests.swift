import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The places and the circuit breaker of a push service, and the bounds of all services.
@Suite(.timeLimit(.minutes(20))) struct PushServiceTests {
    private let service = PushService()

    @Test func `a service is down after ten failures in a row, for ten seconds each time`() {
        let failed = NotificationDelivery.failed(retryAfter: nil)
        for _ in 1...9 { #expect(service.note(failed, at: .zero) == nil) }
        #expect(service.note(.refused, at: .zero) == nil, "an answer ends the row")
        for _ in 1...9 { #expect(service.note(failed, at: .zero) == nil) }
        #expect(service.note(.deferred(retryAfter: nil), at: .zero) == nil, "it says nothing about the service")
        #expect(service.takesAttempt(at: .zero))
        #expect(service.note(failed, at: .seconds(1)) == true)
        #expect(!service.takesAttempt(at: .milliseconds(10_999)) && service.takesAttempt(at: .seconds(11)))
        #expect(service.note(failed, at: .seconds(11)) == nil, "one line of the log")
        #expect(!service.takesAttempt(at: .seconds(20)) && service.takesAttempt(at: .seconds(21)))
        #expect(!service.isIdle(at: .milliseconds(20_999)))
        #expect(service.isIdle(at: .seconds(21)), "a dead host must not keep its place")
        #expect(service.note(.unregistered, at: .seconds(21)) == false)
        #expect(service.takesAttempt(at: .seconds(21)) && service.isIdle(at: .seconds(21)))
    }

    @Test func `the notifications of a service are bounded`() {
        for _ in 0..<Platform.waitingDeliveries { #expect(service.add()) }
        #expect(!service.add() && !service.isIdle(at: .zero))
        service.remove()
        #expect(service.add())
    }

    @Test func `attempts beyond the places wait in their order`() async throws {
        for _ in 0..<Platform.concurrentDeliveries { try await service.enter() }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...3 {
                group.addTask { [service] in
                    try await service.enter()
                    return number
                }
                while service.waitingCount < number { try await Task.sleep(for: .milliseconds(1)) }
            }
            for number in 1...3 {
                service.leave()
                let entered = try await group.next()
                #expect(entered == number)
            }
            group.addTask { [service] in
                try await service.enter()
                return 4
            }
            while service.waitingCount < 1 { try await Task.sleep(for: .milliseconds(1)) }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
    }

    @Test func `names beyond the limit share a place, and those that are not in use leave theirs`() throws {
        let gateways = try NotificationGateways(["web-push": ScriptedGateway(ManualTimeSource())])
        let used = (0..<NotificationGateways.serviceLimit).map {
            gateways.service("host\($0)", of: "web-push", at: .zero)
        }
        for service in used { #expect(service.add()) }
        let shared = gateways.service("one", of: "web-push", at: .zero)
        #expect(shared.add())
        #expect(gateways.service("another", of: "web-push", at: .zero) === shared && !used.contains { $0 === shared })
        #expect(gateways.service("host7", of: "web-push", at: .zero) === used[7])
        shared.remove()
        used[3].remove()
        let own = gateways.service("one", of: "web-push", at: .zero)
        #expect(own !== shared && gateways.service("one", of: "web-push", at: .zero) === own)
    }
}
