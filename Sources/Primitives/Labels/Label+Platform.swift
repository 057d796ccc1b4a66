// What the platform keeps, and what it hashes so that it need not keep it.
extension Label {
    /// Master key → the key of a sealed row.
    package static let platformRow = Label("swift-orchestration/1 platform row")
    /// Begins what is hashed of a source that an application server names.
    package static let loginSource = Label("swift-orchestration/1 login source")
    /// Begins what is hashed of the secret of an API key.
    package static let apiKey = Label("swift-orchestration/1 api key")

    /// Master key → what stands for the address of whoever began an exchange.
    package static let activationSource = Label("swift-orchestration/1 exchange source")

    static let platform: [Label] = [platformRow, loginSource, apiKey, activationSource]
}
