import Orchestration
import Primitives

extension UserInput {
    /// The secret as text, for tests only; taken away from the input.
    var text: String? {
        guard let secret = takeSecret() else { return nil }
        return secret.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
