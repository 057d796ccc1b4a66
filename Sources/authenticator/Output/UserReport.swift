import Orchestration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What this device knows of a user, for people and for machines.
struct UserReport: Encodable {
    let user: String
    let state: String
    let deviceID: String
    let serialNumbers: [String]
    let applications: [String]
    let notificationIdentifier: String?
    let activatedAt: Int64?
    let isPostQuantum: Bool

    init(_ information: UserInformation) {
        user = information.account.text
        state = information.state.rawValue
        deviceID = information.deviceID
        serialNumbers = information.serialNumbers
        applications = information.applications.map { "app\($0.index)" }
        notificationIdentifier = information.notificationIdentifier
        activatedAt = information.activatedAt?.secondsSinceEpoch
        isPostQuantum = information.isPostQuantum
    }

    var text: String {
        Table([
            ("user", user),
            ("state", state),
            ("device", deviceID),
            ("serial numbers", serialNumbers.joined(separator: ", ")),
            ("applications", applications.joined(separator: ", ")),
            ("notifications", notificationIdentifier ?? "not registered"),
            ("activated at", activatedAt.map(Self.date) ?? "not yet"),
            ("post-quantum", isPostQuantum ? "yes" : "no"),
        ]).text
    }

    /// RFC 3339, in UTC.
    private static func date(secondsSinceEpoch seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
