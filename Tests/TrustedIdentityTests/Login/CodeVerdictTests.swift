import OrchestrationProtocol
import Primitives
import Testing

@testable import TrustedIdentity

struct CodeVerdictTests {
    static func match(instance: Instance = .password, isUsed: Bool = false, mustSynchronize: Bool = false) -> CodeMatch
    {
        let counter = CodeCounterRecord(device: Fixture.id, instance: instance, application: 1)
        return CodeMatch(
            index: 0, generation: nil, value: 1, method: instance.method, isUsed: isUsed,
            mustSynchronize: mustSynchronize, before: counter, after: counter)
    }

    func verdict(
        _ match: CodeMatch?, use: CryptoApplications.Use = .time, restored: Bool = false
    ) -> CodeVerdict {
        CodeVerdict(match, use: use, allowed: [.password], isEveryDeviceRestored: restored)
    }

    @Test func `the method of a code is the one whose secret made it`() {
        #expect(verdict(Self.match()) == .accepted(Self.match(), .password))
        #expect(verdict(Self.match(instance: .possession)) == .notAllowed(Self.match(instance: .possession)))
    }

    @Test func `a used code is refused and not counted, and an unknown one is counted`() {
        #expect(verdict(Self.match(isUsed: true)) == .refused(.usedCode))
        #expect(verdict(nil) == .wrong)
    }

    @Test func `codes of a device that has not synchronized since a restore are refused and not counted`() {
        #expect(verdict(Self.match(mustSynchronize: true)) == .refused(.notSynchronized))
        #expect(verdict(nil, restored: true) == .refused(.notSynchronized))
    }

    @Test func `a challenge that takes no code is refused before anything about the account`() {
        for reason in [LoginDecision.Reason.usedChallenge, .unknownChallenge] {
            for match in [nil, Self.match(), Self.match(mustSynchronize: true)] {
                let verdict = CodeVerdict(
                    match, use: .challenge(""), challenge: reason, allowed: [.password], isEveryDeviceRestored: true)
                #expect(verdict == .refused(reason))
                #expect(verdict.refusalOfEveryAccount == reason)
            }
        }
        #expect(verdict(nil).refusalOfEveryAccount == nil)
        #expect(verdict(Self.match(isUsed: true)).refusalOfEveryAccount == nil)
    }

    @Test(arguments: CryptoApplicationIndex.allCases)
    func `an application is compared over its own data alone`(application: CryptoApplicationIndex) throws {
        let seal = try SealContent(text: "1")
        let uses = [CodeData.nothing, .challenge("1234"), .fields([DataField(value: "1")]), .seal(seal)].map {
            CryptoApplications.use(of: application, over: $0)
        }
        let expected: [CryptoApplications.Use] =
            switch application {
            case .app1: [.time, .unsuitable, .unsuitable, .unsuitable]
            case .app2: [.counter, .unsuitable, .unsuitable, .unsuitable]
            case .app3: [.unsuitable, .challenge("1234"), .unsuitable, .unsuitable]
            case .app4: [.unsuitable, .unsuitable, .signature([DataField(value: "1")]), .seal(seal)]
            case .app5, .app6, .app7, .app8: [.unsuitable, .unsuitable, .unsuitable, .unsuitable]
            }
        #expect(uses == expected)
    }

    @Test(arguments: [.app3, .app4, .app5, .app6, .app7, .app8] as [CryptoApplicationIndex])
    func `no login takes a code of another application, right or wrong`(application: CryptoApplicationIndex) {
        let use = CryptoApplications.use(of: application)
        #expect(verdict(Self.match(), use: use) == .refused(.applicationNotAllowed))
        #expect(verdict(nil, use: use) == .refused(.applicationNotAllowed))
    }
}
