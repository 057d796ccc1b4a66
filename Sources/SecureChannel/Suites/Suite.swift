internal import Primitives

/// Which key encapsulation an activation and its channel use. A higher suite is a stronger one.
package enum Suite: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// X25519.
    case classic = 1
    /// X-Wing: ML-KEM-768 and X25519 together, safe as long as either of them is.
    case hybrid = 2

    /// The suites that this system can do, ascending. On Apple platforms the second needs the releases of 2025.
    package static var supported: [Suite] {
        XWing.isAvailable ? [.classic, .hybrid] : [.classic]
    }

    /// A suite by its number on the wire.
    ///
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` for a number that we do not know.
    package init(wire number: UInt64) throws(SecureChannelError) {
        guard let suite = UInt8(exactly: number).flatMap(Suite.init(rawValue:)) else {
            throw SecureChannelError(.unsupportedSuite, blame: .peer, "a suite with an unknown number")
        }
        self = suite
    }

    /// The number on the wire.
    package var wire: UInt64 { UInt64(rawValue) }

    package static func < (a: Suite, b: Suite) -> Bool { a.rawValue < b.rawValue }
}
