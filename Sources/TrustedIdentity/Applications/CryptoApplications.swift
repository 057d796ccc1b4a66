internal import OneTimePassword
internal import Primitives
internal import Wire

/// The crypto applications that the platform issues, the same to all devices, and the windows for their codes.
enum CryptoApplications {
    /// The number of digits of a code.
    static let digits = 8
    /// The time step of time-based codes, in seconds.
    static let timeStep = 30
    /// The time steps in each direction in which a code is accepted, around the present one and the learned drift.
    static let tolerance = 1
    /// The counter values ahead in which a code is accepted.
    static let lookAhead = 10
    /// The counter values back in which a code is recognized as used. A user with codes on two screens who types the
    /// newer one first has not mistyped.
    static let lookBack = 5
    /// The counter values ahead in which two successive codes are accepted.
    static let resynchronization = 100

    /// The use of a code of an application at a login.
    enum Use: Equatable {
        /// It compares the code as a time-based one.
        case time
        /// It compares the code as a counter-based one.
        case counter
        /// It refuses the code, which is made over a challenge or over data.
        case signature
        /// It refuses the code: the platform issues no such application.
        case unissued
    }

    static func use(of application: CryptoApplicationIndex) -> Use {
        switch application {
        case .app1: .time
        case .app2: .counter
        case .app3, .app4: .signature
        case .app5, .app6, .app7, .app8: .unissued
        }
    }

    /// Returns the applications that an activation issues to a device: those for one-time passwords only to a device that
    /// makes them, and all others to every device.
    ///
    /// - Parameter agreed: The capabilities that were agreed on.
    static func issued(for agreed: Set<Capability>) -> [Provisioning.Application] {
        let kinds: [(UInt8, Provisioning.Application.Kind)] = [
            (1, .totp), (2, .hotp), (3, .challenge), (4, .signature),
        ]
        return kinds.filter { _, kind in
            switch kind {
            case .totp, .hotp: agreed.contains(.oneTimePasswords)
            // No route verifies these codes yet, so that no platform has a capability for them.
            case .challenge, .signature: true
            }
        }.map { index, kind in
            Provisioning.Application(
                index: index, kind: kind, digits: digits, timeStep: kind == .totp ? timeStep : 0,
                hostCode: agreed.contains(.hostCodes))
        }
    }
}

extension TypedCodes {
    /// Returns the use of a code of an application. One that is not accepted is as one that the platform does not issue.
    func use(of application: CryptoApplicationIndex) -> CryptoApplications.Use {
        applications.contains(application) ? CryptoApplications.use(of: application) : .unissued
    }
}

extension PlatformConfiguration {
    /// The capabilities of the platform. It issues an application for challenges, and no route verifies its codes.
    var capabilities: Set<Capability> {
        policy.codes.hostCodes ? [.oneTimePasswords, .hostCodes] : [.oneTimePasswords]
    }
}
