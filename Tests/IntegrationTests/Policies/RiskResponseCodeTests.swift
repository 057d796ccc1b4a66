import Primitives
import TestSupport
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

@Suite struct RiskResponseCodeTests {
    @Test(
        arguments: [
            (.possession, 21), (.password, 22), (.biometric, 23), (.face, 24),
        ] as [(AuthenticationMethod, Int)])
    func `the code of a pending reply names the method`(method: AuthenticationMethod, number: Int) {
        #expect(RiskResponseCode(pending: method).rawValue == number)
    }

    @Test func `no pending reply has the code of an accepted or refused one, in any situation`() throws {
        for method in AuthenticationMethod.allCases {
            #expect(![.accept, .refuse].contains(RiskResponseCode(pending: method)))
        }
        var random = SeededGenerator(seed: 3)
        let time = Timestamp(secondsSinceEpoch: 1_800_000_000)
        let euro = try Currency("EUR")
        let requests: [Situation.Request] = [.login, .transaction, .event, .staticPassword]
        var pending = 0
        for _ in 0..<5_000 {
            var situation = Situation(requests.randomElement(using: &random) ?? .login, at: time)
            situation.amount = MonetaryAmount(
                minorUnits: UInt64.random(in: 0...200_000, using: &random), currency: euro)
            situation.creditor = Situation.Recognition.allCases.randomElement(using: &random) ?? .new
            situation.showsNumbers = Bool.random(using: &random)
            situation.isSourceKnown = Bool.random(using: &random)
            if Bool.random(using: &random) {
                situation.risk.record(.rejected(.notMe), at: time, policy: .default)
            }
            let decision = Policy.default.decide(situation)
            let code = RiskResponseCode(decision)
            let report = DecisionReport(decision)
            #expect(report.riskResponseCode == code.rawValue && report.rule == decision.rule)
            switch decision.outcome {
            case .accept: #expect(code == .accept && report.outcome == "accept")
            case .refuse(let refusal): #expect(code == .refuse && report.reason == refusal.description)
            case .challenge(let challenge):
                pending += 1
                #expect(code == RiskResponseCode(pending: challenge.method) && code != .accept && code != .refuse)
                #expect(report.method == challenge.method.description && report.digits == challenge.digits)
            }
        }
        #expect(pending > 1_000)
    }
}
