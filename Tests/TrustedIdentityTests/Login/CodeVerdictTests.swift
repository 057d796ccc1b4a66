import Crypto
import OneTimePassword
import Primitives
import Testing

@testable import TrustedIdentity

struct CodeVerdictTests {
    static func match(instance: Instance = .password, isUsed: Bool = false, isRestored: Bool = false) -> CodeMatch {
        let counter = CodeCounterRecord(device: Fixture.id, instance: instance, application: 1)
        return CodeMatch(
            origin: .init(device: Fixture.id, instance: instance, index: 0, isRestored: isRestored), value: 1,
            isUsed: isUsed, before: counter, after: counter)
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
        #expect(verdict(Self.match(isRestored: true)) == .refused(.notSynchronized))
        #expect(verdict(nil, restored: true) == .refused(.notSynchronized))
    }

    @Test(arguments: [3, 4, 5, 8, 0, 9, 255] as [UInt8])
    func `no login takes a code of another application, right or wrong`(application: UInt8) {
        let use = CryptoApplications.use(of: application)
        #expect(verdict(Self.match(), use: use) == .refused(.applicationNotAllowed))
        #expect(verdict(nil, use: use) == .refused(.applicationNotAllowed))
    }
}

struct CodeSearchTests {
    let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
    let now = Fixture.now
    var step: UInt64 { UInt64(now.secondsSinceEpoch / 30) }

    func search(
        _ use: CryptoApplications.Use, next: UInt64 = 0, drift: Int = 0, isDecoy: Bool = false
    ) -> CodeSearch {
        let counter = CodeCounterRecord(
            device: Fixture.id, instance: .password, application: use == .time ? 1 : 2, next: next, drift: drift)
        let origin = CodeCandidate.Origin(device: Fixture.id, instance: .password, index: 0, isRestored: false)
        return CodeSearch(
            candidates: [CodeCandidate(origin: isDecoy ? nil : origin, key: key, counter: counter, isStored: true)],
            use: use,
            now: now)
    }

    func totp(_ offset: Int) throws -> String {
        try TOTP(key: OneTimePasswordKey(key), digits: 8).code(step: UInt64(Int(step) + offset)).digits
    }

    func hotp(_ counter: UInt64) throws -> String {
        try HOTP(key: OneTimePasswordKey(key), digits: 8).code(counter: counter).digits
    }

    @Test(arguments: [(-3, false), (-2, false), (-1, true), (0, true), (1, true), (2, false), (3, false)])
    func `a clock may be off by one step, and not by three`(offset: Int, isFound: Bool) throws {
        let match = try search(.time).find(totp(offset))
        #expect((match != nil) == isFound)
        #expect(match == nil || match?.after.drift == offset)
    }

    @Test func `what was learned of a clock moves the window, two steps at most`() throws {
        #expect(try search(.time, drift: 2).find(totp(3))?.after.drift == 2)
        #expect(try search(.time, drift: 2).find(totp(4)) == nil)
        #expect(try search(.time, drift: -2).find(totp(-3))?.after.drift == -2)
        #expect(try search(.time, drift: -2).find(totp(2)) == nil)
        #expect(try search(.time, drift: 9).find(totp(4)) == nil)
    }

    @Test(arguments: [-2, -1, 1, 2], [-1, 0, 1])
    func `a code that was typed slowly does not shut out the next one`(drift: Int, offset: Int) throws {
        #expect(try search(.time, drift: drift).find(totp(offset))?.after.drift == offset)
    }

    @Test func `an accepted step and those before it are used`() throws {
        let match = try search(.time).find(totp(0))
        #expect(match?.isUsed == false)
        #expect(match?.after.next == step + 1)
        #expect(try search(.time, next: step + 1).find(totp(0))?.isUsed == true)
        #expect(try search(.time, next: step + 1).find(totp(-1))?.isUsed == true)
        #expect(try search(.time, next: step + 1).find(totp(1))?.isUsed == false)
    }

    @Test func `a counter is found ten values ahead and no further, and the last five are known as used`() throws {
        #expect(try search(.counter, next: 5).find(hotp(5))?.after.next == 6)
        #expect(try search(.counter, next: 5).find(hotp(15))?.after.next == 16)
        #expect(try search(.counter, next: 5).find(hotp(16)) == nil)
        #expect(try search(.counter, next: 5).find(hotp(4))?.isUsed == true)
        #expect(try search(.counter, next: 7).find(hotp(2))?.isUsed == true)
        #expect(try search(.counter, next: 7).find(hotp(1)) == nil)
        #expect(try search(.counter, next: 1).find(hotp(11))?.isUsed == false)
        #expect(try search(.counter, next: 1).find(hotp(12)) == nil)
        #expect(try search(.counter).find(hotp(0))?.isUsed == false)
    }

    @Test func `a counter that is used up accepts nothing any more`() throws {
        let last = UInt64(Int64.max)
        #expect(try search(.counter, next: last - 1).find(hotp(last - 1))?.isUsed == false)
        #expect(try search(.counter, next: last - 1).find(hotp(last - 1))?.after.next == last)
        for counter in [last - 1, last, last + 1, last + 10] {
            let match = try search(.counter, next: last).find(hotp(counter))
            #expect(match?.isUsed == true)
            #expect(match?.after.next == last)
        }
    }

    @Test func `two successive codes are found further away, and two others are not`() throws {
        #expect(try search(.counter).find((hotp(80), hotp(81)))?.after.next == 82)
        #expect(try search(.counter).find((hotp(80), hotp(82))) == nil)
        #expect(try search(.counter).find((hotp(81), hotp(80))) == nil)
        #expect(try search(.counter, next: 82).find((hotp(80), hotp(81))) == nil)
        #expect(try search(.time).find((totp(-3), totp(-2)))?.after.drift == -2)
        #expect(try search(.time).find((totp(-9), totp(-8))) == nil)
        #expect(try search(.time, next: step).find((totp(-2), totp(-1))) == nil)
    }

    @Test(arguments: ["", "1", "1234567", "123456789", "1234567a", "１２３４５６７８", "-1234567", " 1234567"])
    func `what is no code of eight digits is not found`(text: String) throws {
        #expect(try search(.time).find(text) == nil)
        #expect(try search(.counter).find(text) == nil)
    }

    @Test func `a decoy is computed and never found`() throws {
        #expect(try search(.time, isDecoy: true).find(totp(0)) == nil)
    }

    @Test func `the last counters do not overflow`() throws {
        let last = UInt64(Int64.max)
        #expect(try search(.counter, next: last).find(hotp(last))?.after.next == last)
    }
}
