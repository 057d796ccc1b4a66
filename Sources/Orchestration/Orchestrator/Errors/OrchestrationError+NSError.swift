extension OrchestrationError {
    /// The domain of the `NSError` that Objective-C gets: `Orchestration.OrchestrationError`.
    public static var errorDomain: String { "Orchestration.OrchestrationError" }
}
