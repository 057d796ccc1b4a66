import Crypto
import OneTimePassword
import OrchestrationProtocol
import Primitives
import Testing

@testable import TrustedIdentity

struct CodeComparisonTests {
    let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
    let now = Fixture.now
    var step: UInt64 { UInt64(now.secondsSinceEpoch / 30) }

    func comparison(
        _ use: CryptoApplications.Use, next: UInt64 = 0, drift: Int = 0
    ) -> CodeComparison {
        let counter = CodeCounterRecord(
            device: Fixture.id, instance: .password, application: Self.application(of: use), next: next, drift: drift)
        return CodeComparison(
            candidates: [
                .init(
                    key: .init(keys: SecretBox(key.secretBytes), place: 0), index: 0, mustSynchronize: false,
                    method: .password, counter: counter, isStored: true)
            ],
            use: use, tenant: "default", now: now)
    }

    static func application(of use: CryptoApplications.Use) -> UInt8 {
        switch use {
        case .time, .unsuitable: 1
        case .counter: 2
        case .challenge: 3
        case .signature, .seal: 4
        }
    }

    func question(_ purpose: SignedQuestion.Purpose, challenge: String? = nil, counter: UInt64? = nil) -> [UInt8] {
        SignedQuestion.hash(
            purpose: purpose, tenant: "default", instance: .password, application: purpose == .challenge ? 3 : 4,
            challenge: challenge, counter: counter, fields: purpose == .challenge ? [] : Self.fields)
    }

    static let fields = [DataField(label: "Amount", value: "10"), DataField(value: "x")]

    func signature(_ counter: UInt64) throws -> String {
        try OCRA(suite: .hashedSignature, key: OneTimePasswordKey(key))
            .code(for: .init(.hash(question(.signature, counter: counter)), counter: counter)).digits
    }

    func response(_ challenge: String) throws -> String {
        try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(key))
            .code(for: .init(.hash(question(.challenge, challenge: challenge)))).digits
    }

    func totp(_ offset: Int) throws -> String {
        try TOTP(key: OneTimePasswordKey(key), digits: 8).code(step: UInt64(Int(step) + offset)).digits
    }

    func hotp(_ counter: UInt64) throws -> String {
        try HOTP(key: OneTimePasswordKey(key), digits: 8).code(counter: counter).digits
    }

    @Test(arguments: [(-3, false), (-2, false), (-1, true), (0, true), (1, true), (2, false), (3, false)])
    func `a clock may be off by one step, and not by three`(offset: Int, isFound: Bool) throws {
        let match = try comparison(.time).match(totp(offset))
        #expect((match != nil) == isFound)
        #expect(match == nil || match?.after.drift == offset)
    }

    @Test func `what was learned of a clock moves the window, two steps at most`() throws {
        #expect(try comparison(.time, drift: 2).match(totp(3))?.after.drift == 2)
        #expect(try comparison(.time, drift: 2).match(totp(4)) == nil)
        #expect(try comparison(.time, drift: -2).match(totp(-3))?.after.drift == -2)
        #expect(try comparison(.time, drift: -2).match(totp(2)) == nil)
        #expect(try comparison(.time, drift: 9).match(totp(4)) == nil)
    }

    @Test(arguments: [-2, -1, 1, 2], [-1, 0, 1])
    func `a code that was typed slowly does not shut out the next one`(drift: Int, offset: Int) throws {
        #expect(try comparison(.time, drift: drift).match(totp(offset))?.after.drift == offset)
    }

    @Test func `an accepted step and those before it are used`() throws {
        let match = try comparison(.time).match(totp(0))
        #expect(match?.isUsed == false)
        #expect(match?.after.next == step + 1)
        #expect(try comparison(.time, next: step + 1).match(totp(0))?.isUsed == true)
        #expect(try comparison(.time, next: step + 1).match(totp(-1))?.isUsed == true)
        #expect(try comparison(.time, next: step + 1).match(totp(1))?.isUsed == false)
    }

    @Test func `a counter is found ten values ahead and no further, and the last five are known as used`() throws {
        #expect(try comparison(.counter, next: 5).match(hotp(5))?.after.next == 6)
        #expect(try comparison(.counter, next: 5).match(hotp(15))?.after.next == 16)
        #expect(try comparison(.counter, next: 5).match(hotp(16)) == nil)
        #expect(try comparison(.counter, next: 5).match(hotp(4))?.isUsed == true)
        #expect(try comparison(.counter, next: 7).match(hotp(2))?.isUsed == true)
        #expect(try comparison(.counter, next: 7).match(hotp(1)) == nil)
        #expect(try comparison(.counter, next: 1).match(hotp(11))?.isUsed == false)
        #expect(try comparison(.counter, next: 1).match(hotp(12)) == nil)
        #expect(try comparison(.counter).match(hotp(0))?.isUsed == false)
    }

    @Test func `the counter of a signature is found as that of a code`() throws {
        func match(_ counter: UInt64, next: UInt64) throws -> CodeMatch? {
            try comparison(.signature(Self.fields), next: next).match(signature(counter))
        }
        #expect(try match(0, next: 0)?.isUsed == false)
        #expect(try match(5, next: 5)?.after.next == 6)
        #expect(try match(15, next: 5)?.after.next == 16)
        #expect(try match(16, next: 5) == nil)
        #expect(try match(2, next: 7)?.isUsed == true)
        #expect(try match(1, next: 7) == nil)
        let last = UInt64(Int64.max)
        #expect(try match(last - 1, next: last - 1)?.after.next == last)
        #expect(try match(last, next: last)?.isUsed == true)
        #expect(try comparison(.signature([DataField(value: "y")])).match(signature(0)) == nil)
        #expect(try comparison(.counter).match(signature(0)) == nil)
        #expect(try comparison(.unsuitable).match(signature(0)) == nil)
    }

    @Test func `a code over a challenge has no counter`() throws {
        let match = try comparison(.challenge("1234")).match(response("1234"))
        #expect(match?.isUsed == false && match?.after.device == Fixture.id)
        #expect(try comparison(.challenge("1234"), next: 7).match(response("1234"))?.isUsed == false)
        #expect(try comparison(.challenge("1235")).match(response("1234")) == nil)
    }

    @Test func `a counter that is used up accepts nothing`() throws {
        let last = UInt64(Int64.max)
        #expect(try comparison(.counter, next: last - 1).match(hotp(last - 1))?.isUsed == false)
        #expect(try comparison(.counter, next: last - 1).match(hotp(last - 1))?.after.next == last)
        for counter in [last - 1, last, last + 1, last + 10] {
            let match = try comparison(.counter, next: last).match(hotp(counter))
            #expect(match?.isUsed == true)
            #expect(match?.after.next == last)
        }
    }

    @Test func `two successive codes are found further away, and two others are not`() throws {
        #expect(try comparison(.counter).match((hotp(80), hotp(81)))?.after.next == 82)
        #expect(try comparison(.counter).match((hotp(80), hotp(82))) == nil)
        #expect(try comparison(.counter).match((hotp(81), hotp(80))) == nil)
        #expect(try comparison(.counter, next: 82).match((hotp(80), hotp(81))) == nil)
        #expect(try comparison(.time).match((totp(-3), totp(-2)))?.after.drift == -2)
        #expect(try comparison(.time).match((totp(-9), totp(-8))) == nil)
        #expect(try comparison(.time, next: step).match((totp(-2), totp(-1))) == nil)
    }

    @Test(arguments: ["", "1", "1234567", "123456789", "1234567a", "１２３４５６７８", "-1234567", " 1234567"])
    func `what is no code of eight digits is not found`(text: String) throws {
        #expect(try comparison(.time).match(text) == nil)
        #expect(try comparison(.counter).match(text) == nil)
        #expect(try comparison(.challenge("1234")).match(text) == nil)
        #expect(try comparison(.signature(Self.fields)).match(text) == nil)
    }

    @Test func `the last counters do not overflow`() throws {
        let last = UInt64(Int64.max)
        #expect(try comparison(.counter, next: last).match(hotp(last))?.after.next == last)
    }
}
