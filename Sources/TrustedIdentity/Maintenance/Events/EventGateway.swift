/// A service of the application server that takes platform events, such as a webhook.
///
/// The platform calls it only within ``Platform/deliverEvents()``, after the transaction of an event: no login and no
/// approval waits for it. Events arrive in their order, one at a time. An event that the receiver does not take arrives
/// again after later ones. An event also arrives again, with the same id, when its answer was lost.
public protocol EventGateway: Sendable {
    /// Makes one attempt to deliver an event. The platform cancels it after ``Platform/deliveryTimeout`` and repeats
    /// failed attempts, so an implementation does neither.
    ///
    /// - Parameter event: The event.
    /// - Returns: The result.
    /// - Throws: Any error. It counts as ``EventDelivery/failed(retryAfter:answer:)`` without a time or an answer.
    func deliver(_ event: PlatformEvent) async throws -> EventDelivery
}

/// The result of one attempt to deliver an event.
public enum EventDelivery: Sendable, Hashable {
    /// The service has taken the event. The platform removes it.
    case delivered
    /// The attempt failed, and is repeated. With a time, the service asks for a pause of this length. The answer is an
    /// HTTP status, for the log and for administrators.
    case failed(retryAfter: Duration?, answer: Int?)
}
