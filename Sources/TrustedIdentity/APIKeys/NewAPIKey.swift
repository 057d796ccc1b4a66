internal import Primitives

/// An API key that was just made: the only time that its secret is seen.
public struct NewAPIKey: Sendable {
    /// What names the key; not secret.
    public let id: String
    /// What it opens.
    public let scope: APIKeyScope
    private let typed: SecretBox<SecretBytes>

    /// What a caller sends, `id.secret`. Show it once, keep it nowhere.
    public var secret: String { typed.text }

    init(id: String, scope: APIKeyScope, typed: SecretBox<SecretBytes>) {
        self.id = id
        self.scope = scope
        self.typed = typed
    }
}
