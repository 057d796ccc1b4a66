internal import Primitives

// The limits, the actions and the outcomes of a schedule.
extension DeliverySchedule {
    /// The number of first attempts that fail in a row after which a service counts as down.
    static var failuresOfService: Int { 16 }
    /// The least time from the beginning of an attempt to the next one, of all services that are down.
    static var pauseOfService: Duration { .milliseconds(100) }
    /// The least time from the end of an item that needed no attempt, but a read, to the next one.
    static var pauseAfterRead: Duration { .milliseconds(25) }
    /// The most items of services that are down that are worked on at the same time, one of each service.
    static var downConcurrency: Int { 4 }
    /// The time for which a service counts as in use after the beginning of its last item. While another one is down,
    /// a service with fewer items gets some of them late.
    static var timeOfUse: Duration { .seconds(600) }
    /// The number of waiting items from which no further requests are read while all services in use are down.
    static var heldItems: Int { 32 }
    /// The most services that have a place of their own. Further ones share the place of the service without a name.
    static var serviceLimit: Int { 64 }
    /// The least time from a report that a service is down to the next one.
    static var reportInterval: Duration { .seconds(60) }

    /// Whether the services that are in use take items.
    enum Condition {
        /// No service is in use.
        case unused
        /// A service that is in use takes items, or few wait.
        case working
        /// Many items wait, and every service that is in use is down.
        case heldUp
    }

    /// The work that is next.
    enum Action {
        /// Work on an item, and report its end with ``DeliverySchedule/finish(_:of:now:)``.
        case begin(Item, service: String)
        /// Nothing can begin before an item ends, an item is new, or the time has passed.
        case pause(Duration?)
    }

    /// The end of the work on an item.
    struct Outcome: Sendable {
        enum Attempt: Sendable {
            /// The item had expired. Nothing was done.
            case expired
            /// The rows were read, or the store failed. There was nothing to send, or the attempt did not begin.
            case notMade
            /// The service has answered, and the answer is final, whatever it means for the item.
            case answered
            /// The service has not answered the first attempt, or its answer is a failure of its own.
            case failed
            /// The same for a repetition. It does not count against the service: a few items that always fail would
            /// bring it down.
            case failedAgain
            /// The service has answered, and asks for a later attempt. It counts neither for nor against the service:
            /// the answer can be about one address, and come from a server before one that is down.
            case deferred
        }

        let attempt: Attempt
        /// The item that is to be worked on later, and the time until then; nil at the end of the item.
        var repetition: (item: Item, delay: Duration)?
    }

    /// The result of ``DeliverySchedule/finish(_:of:now:)``.
    struct Change: Equatable {
        /// Whether a repetition was dropped because too many wait.
        var isDropped = false
        /// Whether services are down from now on; nil when there is nothing to report.
        var isDown: Bool?
    }
}
