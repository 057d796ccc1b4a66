/// `POST /v1/orchestration-commands`, question and answer.
struct CommandBody: Codable, Sendable {
    /// A command in its text form.
    let command: String
}
