/// The inside of a flow: what a ``FlowRunner`` pulls events from.
///
/// A flow lives on its runner's actor and is never touched from elsewhere. It holds no lock between two calls.
protocol Flow: AnyObject {
    /// Works until there is something to tell.
    ///
    /// Called again only when the event before was not terminal and no error was thrown.
    func next() async throws -> FlowEvent
}
