internal import OneTimePassword
internal import OrchestrationProtocol
internal import Primitives

/// The crypto applications that the platform issues, which are the same for all devices, and the windows for their
/// codes.
enum CryptoApplications {
    /// The number of digits of a code.
    static let digits = 8
    /// The time step of time-based codes, in seconds.
    static let timeStep = 30
    /// The time steps in each direction in which a code is accepted, around the current one and the learned drift.
    static let tolerance = 1
    /// The number of later counter values for which a code is accepted.
    static let lookAhead = CodeWindow.lookAhead
    /// The number of earlier counter values for which a code is recognized as used. A user with codes on two screens
    /// who types the newer one first has not mistyped.
    static let lookBack = 5
    /// The number of later counter values for which two successive codes are accepted.
    static let resynchronization = 100

    /// The comparison of a typed code.
    enum Use: Equatable {
        /// As a time-based one-time password.
        case time
        /// As a counter-based one-time password.
        case counter
        /// As the code over a challenge.
        case challenge(String)
        /// As the code over the fields of a transaction and a counter.
        case signature([DataField])
        /// As the code over the digest of data and a counter.
        case seal(SealContent)
        /// Not at all: the platform issues no such application, or its codes are made over other data. A time-based
        /// code is computed instead.
        case unsuitable
    }

    /// Returns how a code of an application is compared.
    ///
    /// - Parameter data: The data that the code is made over, in addition to its moving factor.
    static func use(of application: CryptoApplicationIndex, over data: CodeData = .nothing) -> Use {
        switch (application, data) {
        case (.app1, .nothing): .time
        case (.app2, .nothing): .counter
        case (.app3, .challenge(let text)): .challenge(text)
        case (.app4, .fields(let fields)): .signature(fields)
        case (.app4, .seal(let content)): .seal(content)
        case (.app1, _), (.app2, _), (.app3, _), (.app4, _), (.app5, _), (.app6, _), (.app7, _), (.app8, _): .unsuitable
        }
    }

    /// Returns the applications that an activation issues to a device: the applications whose codes the device makes.
    ///
    /// - Parameter agreed: The capabilities that were agreed on.
    static func issued(for agreed: Set<Capability>) -> [Provisioning.Application] {
        let kinds: [(UInt8, Provisioning.Application.Kind)] = [
            (1, .totp), (2, .hotp), (3, .challenge), (4, .signature),
        ]
        return kinds.filter { _, kind in
            switch kind {
            case .totp, .hotp: agreed.contains(.oneTimePasswords)
            case .challenge: agreed.contains(.challengeCodes)
            case .signature: agreed.contains(.signatures)
            }
        }.map { index, kind in
            Provisioning.Application(
                index: index, kind: kind, digits: digits, timeStep: kind == .totp ? timeStep : 0,
                hostCode: agreed.contains(.hostCodes))
        }
    }
}

extension TypedCodes {
    /// Returns how a code of an application is compared. An application that is not accepted is treated like one that
    /// the platform does not issue.
    ///
    /// - Parameter data: The data that the code is made over, in addition to its moving factor.
    func use(of application: CryptoApplicationIndex, over data: CodeData = .nothing) -> CryptoApplications.Use {
        applications.contains(application) ? CryptoApplications.use(of: application, over: data) : .unsuitable
    }
}

/// The data that a typed code is made over, in addition to its moving factor.
enum CodeData: Sendable, Equatable {
    /// Nothing: the code is a one-time password.
    case nothing
    /// A challenge of the platform.
    case challenge(String)
    /// The fields of a transaction.
    case fields([DataField])
    /// A digest of data, and the name of the data.
    case seal(SealContent)
}
