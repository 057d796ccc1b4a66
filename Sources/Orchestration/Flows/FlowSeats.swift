internal import Primitives
internal import Synchronization

/// Who holds the seats: one flow of a kind for a user, the newest.
///
/// A flow asks before each of its steps whether it still sits. Nobody waits for anybody, so a consumer that pauses in
/// its loop blocks no other flow.
final class FlowSeats: Sendable {
    private struct State {
        var number: UInt64 = 0
        var holders: [FlowTicket.Seat: UInt64] = [:]
    }

    private let state = Mutex(State())

    /// Takes the seat, from whoever has it.
    func take(_ kind: FlowKind, of account: AccountName) -> FlowTicket {
        let seat = FlowTicket.Seat(kind: kind, account: account)
        return state.withLock { state in
            state.number += 1
            state.holders[seat] = state.number
            return FlowTicket(seat: seat, number: state.number)
        }
    }

    /// Whether the ticket still holds its seat.
    func holds(_ ticket: FlowTicket) -> Bool {
        state.withLock { $0.holders[ticket.seat] == ticket.number }
    }
}
