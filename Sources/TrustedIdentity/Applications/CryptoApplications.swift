internal import OneTimePassword
internal import Wire

/// What the crypto applications of a device make. All devices get the same.
enum CryptoApplications {
    static let digits = 8
    static let period = 30
    /// Time steps each way in which a code is looked for, around the drift learned so far.
    static let tolerance = 1
    /// Counter values ahead in which a code is looked for.
    static let lookAhead = 10
    /// Counter values back in which a code is known as one that cannot be accepted any more: a user who has two codes
    /// on two screens and types the newer one first has not mistyped.
    static let lookBack = 5
    /// Counter values ahead in which two successive codes are looked for.
    static let resynchronization = 100

    /// What a login does with a code of some application index.
    enum Use: Equatable {
        /// A code of the time.
        case time
        /// A code of a counter.
        case counter
        /// A code over a challenge or over data: no login of this kind takes one.
        case other
        /// No such application.
        case none
    }

    static func use(of application: UInt8) -> Use {
        switch application {
        case 1: .time
        case 2: .counter
        case 3, 4: .other
        default: .none
        }
    }

    /// What an activation hands out.
    static func issued(hostCodes: Bool) -> [Provisioning.Application] {
        [(1, .totp), (2, .hotp), (3, .challenge), (4, .signature)].map { index, kind in
            Provisioning.Application(
                index: index, kind: kind, digits: digits, period: kind == .totp ? period : 0, hostCode: hostCodes)
        }
    }
}
