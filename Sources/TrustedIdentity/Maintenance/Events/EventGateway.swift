/// A service of the application server that takes the events of a platform, such as a webhook.
///
/// The platform calls it within ``Platform/deliverEvents()`` only, after the transaction of an event: no login and no
/// approval waits for it. Events come in their order, one at a time. An event that the receiver does not take comes
/// again after later ones. An event also comes again when its answer was lost, with the same id.
public protocol EventGateway: Sendable {
    /// Makes one attempt to deliver an event. The platform cancels it after ``Platform/deliveryTimeout`` and repeats
    /// failed attempts, so an implementation does neither.
    ///
    /// - Parameter event: The event.
    /// - Returns: The result.
    /// - Throws: Any error. It counts as ``EventDelivery/failed(retryAfter:answer:)`` without a time and an answer.
    func deliver(_ event: PlatformEvent) async throws -> EventDelivery
}

/// The result of one attempt to deliver an event.
public enum EventDelivery: Sendable, Hashable {
    /// The service has the event. The platform removes it.
    case delivered
    /// The attempt failed, and is repeated. With a time, the service asks for a pause of this length. The answer is
    /// a status of HTTP, for the log and for administrators.
    case failed(retryAfter: Duration?, answer: Int?)
}
