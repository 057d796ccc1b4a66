internal import Primitives

/// The right of a flow to go on, until a newer flow of the same kind for the same user takes it away.
///
/// The rule costs no lock: a consumer that pauses in its loop blocks nobody.
struct FlowTicket: Sendable, Hashable {
    /// What is there once a user.
    struct Seat: Sendable, Hashable {
        let kind: FlowKind
        let account: AccountName
    }

    let seat: Seat
    let number: UInt64
}

/// The kinds of flows that supersede each other.
enum FlowKind: Sendable, Hashable {
    case activation
    case notificationRegistration
    case localAuthentication
}
