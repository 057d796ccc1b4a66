import Primitives
import Testing

/// The rules for passwords and their limits.
@Suite struct PINPolicyTests {
    @Test func `a policy without arguments is the default one`() {
        #expect(PINPolicy() == .default)
        #expect(PINPolicy.default.digitsOnly)
        #expect((PINPolicy.default.minimumLength, PINPolicy.default.maximumLength) == (6, 12))
        #expect(PINPolicy.default.tries == 5)
    }

    @Test(arguments: [(4, 4, 3), (64, 64, 5), (4, 64, 4)])
    func `a policy at its limits is accepted`(least: Int, greatest: Int, tries: Int) throws {
        let policy = try #require(
            PINPolicy(minimumLength: least, maximumLength: greatest, digitsOnly: false, tries: tries))
        #expect((policy.minimumLength, policy.maximumLength) == (least, greatest))
        #expect(policy.tries == tries)
        #expect(!policy.digitsOnly)
    }

    @Test(arguments: [(3, 12, 5), (6, 65, 5), (13, 12, 5), (6, 12, 2), (6, 12, 6)])
    func `a policy outside its limits is refused`(least: Int, greatest: Int, tries: Int) {
        #expect(PINPolicy(minimumLength: least, maximumLength: greatest, tries: tries) == nil)
    }
}
