import Primitives
import Testing

@testable import TrustedIdentity

struct ActivationDecisionTests {
    let now = Fixture.now
    let sealed = SealedValue(revision: 0, bytes: [])

    var code: ActivationPasswordRecord {
        ActivationPasswordRecord(
            account: "alice@master", registrationID: "r1", serialNumber: "TI1", handle: 77, secret: sealed,
            createdAt: now, expiresAt: now.advanced(seconds: 600))
    }

    func changed(_ change: (inout ActivationPasswordRecord) -> Void) -> ActivationPasswordRecord {
        var code = code
        change(&code)
        return code
    }

    @Test func `a valid activation password with the right handle is tried`() {
        #expect(ActivationExchange.livePassword(code, handle: 77, now: now) == code)
        #expect(ActivationExchange.livePassword(code, handle: 77, now: now.advanced(milliseconds: 599_999)) == code)
    }

    @Test func `anything else is a decoy`() {
        #expect(ActivationExchange.livePassword(nil, handle: 77, now: now) == nil)
        #expect(ActivationExchange.livePassword(code, handle: 78, now: now) == nil)
        #expect(ActivationExchange.livePassword(code, handle: 77, now: now.advanced(seconds: 600)) == nil)
        #expect(ActivationExchange.livePassword(changed { $0.tries = 5 }, handle: 77, now: now) == nil)
        #expect(ActivationExchange.livePassword(changed { $0.spentAt = now }, handle: 77, now: now) == nil)
        #expect(ActivationExchange.livePassword(changed { $0.secret = nil }, handle: 77, now: now) == nil)
    }

    var session: ActivationSessionRecord {
        ActivationSessionRecord(
            id: Fixture.id, account: "alice@master", registrationID: "r1", firstRequestHash: [1], firstAnswer: [2],
            keys: sealed, expiresAt: now.advanced(seconds: 120), keptUntil: now.advanced(seconds: 600))
    }

    @Test func `request 2 is accepted for two minutes after request 1`() {
        #expect(ActivationExchange.secondStep(session, requestHash: [3], now: now) == .open)
        #expect(ActivationExchange.secondStep(session, requestHash: [3], now: now.advanced(seconds: 120)) == .closed)
        #expect(ActivationExchange.secondStep(nil, requestHash: [3], now: now) == .closed)
    }

    @Test func `a repeat of request 2 gets the stored answer, and other bytes get none`() {
        var done = session
        done.keys = nil
        done.secondRequestHash = [3]
        done.secondAnswer = [4]
        #expect(
            ActivationExchange.secondStep(done, requestHash: [3], now: now.advanced(seconds: 599))
                == .repeated(answer: [4]))
        #expect(ActivationExchange.secondStep(done, requestHash: [5], now: now) == .reused)
        #expect(ActivationExchange.secondStep(done, requestHash: [3], now: now.advanced(seconds: 600)) == .closed)
    }

    @Test func `a repeat of request 1 gets the stored answer for ten minutes, and other bytes get none`() {
        let last = now.advanced(milliseconds: 599_999)
        #expect(ActivationExchange.firstStep(nil, requestHash: [1], now: now) == .open)
        #expect(ActivationExchange.firstStep(session, requestHash: [1], now: last) == .repeated(answer: [2]))
        #expect(ActivationExchange.firstStep(session, requestHash: [9], now: last) == .reused)
        #expect(ActivationExchange.firstStep(session, requestHash: [1], now: now.advanced(seconds: 600)) == .open)
    }

    @Test func `a registration is pending as long as its activation password or its device`() {
        func status(_ account: AccountRecord?, _ devices: [DeviceRecord] = [], at seconds: Int64) -> ActivationStatus {
            ActivationProgress(
                account: account, activationPassword: code, devices: devices, now: now.advanced(seconds: seconds)
            ).status
        }
        var account = AccountRecord(name: "alice@master", createdAt: now, registrationID: "r1")
        #expect(status(nil, at: 0) == .unknown)
        #expect(status(account, at: 599) == .pending)
        #expect(status(account, at: 600) == .timeout)
        #expect(status(account, [Fixture.device(.pending)], at: 1_799) == .pending)
        #expect(status(account, [Fixture.device(.pending)], at: 1_800) == .timeout)
        var foreign = Fixture.device(.pending)
        foreign.registrationID = "r0"
        #expect(status(account, [foreign], at: 700) == .timeout)
        account.activatedAt = now
        // The device was removed before it registered a notification channel.
        #expect(status(account, at: 10_000) == .timeout)
        #expect(status(account, [Fixture.device(.revoked)], at: 10_000) == .timeout)
        var device = Fixture.device(.pendingNotification)
        #expect(status(account, [device], at: 10_000) == .pending)
        device.lock(.wrongPassword)
        #expect(status(account, [device], at: 10_000) == .pending)
        foreign.state = .pendingNotification
        #expect(status(account, [foreign], at: 10_000) == .timeout)
        account.finishedAt = now
        #expect(status(account, at: 10_000) == .activated)
        #expect(status(account, [Fixture.device(.revoked)], at: 10_000) == .activated)
    }
}
