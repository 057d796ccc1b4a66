import Primitives
import Testing
import TrustedIdentity

/// The limits of the fields of a configuration.
@Suite struct PlatformConfigurationTests {
    private typealias Change = @Sendable (inout PlatformConfiguration) -> Void

    /// The least and the greatest value of a field, and the values beside them.
    private static let rows: [(field: String, allowed: [Change], refused: [Change])] = [
        (
            "tenant", [{ $0.tenant = "!" }, { $0.tenant = String(repeating: "~", count: 64) }],
            [
                { $0.tenant = "" }, { $0.tenant = "a b" }, { $0.tenant = "é" },
                { $0.tenant = String(repeating: "a", count: 65) },
            ]
        ),
        (
            "challengeLifetime", [{ $0.challengeLifetime = .seconds(10) }, { $0.challengeLifetime = .seconds(3_600) }],
            [{ $0.challengeLifetime = .seconds(9) }, { $0.challengeLifetime = .seconds(3_601) }]
        ),
        (
            "requestsPerDevice", [{ $0.requestsPerDevice = 1 }, { $0.requestsPerDevice = 6_000 }],
            [{ $0.requestsPerDevice = 0 }, { $0.requestsPerDevice = 6_001 }]
        ),
        (
            "publicAddress",
            [
                { $0.publicAddress = nil }, { $0.publicAddress = "http://a" },
                { $0.publicAddress = "https://" + String(repeating: "a", count: 120) },
            ],
            [
                { $0.publicAddress = "" }, { $0.publicAddress = "https://" }, { $0.publicAddress = "ftp://a" },
                { $0.publicAddress = "https://a b" }, { $0.publicAddress = "https://ä" },
                { $0.publicAddress = "https://" + String(repeating: "a", count: 121) },
            ]
        ),
        (
            "requestsPerAddress", [{ $0.requestsPerAddress = 1 }, { $0.requestsPerAddress = 60_000 }],
            [{ $0.requestsPerAddress = 0 }, { $0.requestsPerAddress = 60_001 }]
        ),
        (
            "cumulativeTries", [{ $0.cumulativeTries = 10 }, { $0.cumulativeTries = 50 }],
            [{ $0.cumulativeTries = 9 }, { $0.cumulativeTries = 51 }]
        ),
        (
            "auditCheckpointInterval",
            [{ $0.auditCheckpointInterval = .seconds(600) }, { $0.auditCheckpointInterval = .seconds(366 * 86_400) }],
            [
                { $0.auditCheckpointInterval = .seconds(599) },
                { $0.auditCheckpointInterval = .seconds(366 * 86_400 + 1) },
            ]
        ),
        (
            "waitingCalls", [{ $0.waitingCalls = 1 }, { $0.waitingCalls = 100_000 }],
            [{ $0.waitingCalls = 0 }, { $0.waitingCalls = 100_001 }]
        ),
        (
            "openStreams", [{ $0.openStreams = 1 }, { $0.openStreams = 100_000 }],
            [{ $0.openStreams = 0 }, { $0.openStreams = 100_001 }]
        ),
        (
            "openStreamsPerAddress", [{ $0.openStreamsPerAddress = 1 }, { $0.openStreamsPerAddress = 100_000 }],
            [{ $0.openStreamsPerAddress = 0 }, { $0.openStreamsPerAddress = 100_001 }]
        ),
        retention("receipts", \.receipts, 1...3_653),
        retention("revokedDevices", \.revokedDevices, 1...400),
        retention("deviceData", \.deviceData, 1...400),
        retention("idleSources", \.idleSources, 30...3_653),
    ]

    /// Returns the row of a time in days.
    private static func retention(
        _ field: String, _ path: any WritableKeyPath<Retention, Duration> & Sendable, _ days: ClosedRange<Int64>
    ) -> (field: String, allowed: [Change], refused: [Change]) {
        func change(_ seconds: Int64) -> Change { { $0.retention[keyPath: path] = .seconds(seconds) } }
        let (least, greatest) = (days.lowerBound * 86_400, days.upperBound * 86_400)
        return ("retention.\(field)", [change(least), change(greatest)], [change(least - 1), change(greatest + 1)])
    }

    private static func problems(_ changes: [Change]) -> [String] {
        var configuration = PlatformConfiguration()
        for change in changes { change(&configuration) }
        return configuration.problems.map(\.field)
    }

    @Test func `the default is within all limits, and each limit is tested here`() {
        #expect(PlatformConfiguration().problems.isEmpty)
        #expect(Set(PlatformConfiguration.limits.map(\.field)) == Set(Self.rows.map(\.field)))
    }

    @Test func `a value at a limit is allowed, and the next one is a problem of its field alone`() {
        for row in Self.rows {
            for change in row.allowed { #expect(Self.problems([change]) == [], "\(row.field)") }
            for change in row.refused { #expect(Self.problems([change]) == [row.field], "\(row.field)") }
        }
    }

    @Test func `all problems are found at once`() {
        #expect(Self.problems(Self.rows.map { $0.refused[0] }) == PlatformConfiguration.limits.map(\.field))
    }

    @Test(arguments: [
        (Duration.seconds(0), "0s"), (.seconds(59), "59s"), (.seconds(60), "1m"), (.seconds(90), "90s"),
        (.seconds(7_200), "2h"), (.seconds(86_400), "1d"), (.seconds(90_000), "25h"),
    ])
    func `a duration is written in its largest whole unit`(duration: Duration, text: String) {
        #expect(duration.unitText == text)
    }
}
