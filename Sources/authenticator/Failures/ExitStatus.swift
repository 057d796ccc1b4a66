/// What the program's exit code says. Scripts rely on these numbers.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case refused = 3
    case outdated = 4
    case transport = 5
    case storage = 6

    private var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "anything else, such as a user who is not on this device"
        case .usage: "usage"
        case .refused: "refused, or aborted by the user"
        case .outdated: "outdated"
        case .transport: "transport"
        case .storage: "storage"
        }
    }

    /// All codes in a line, for the help.
    static let legend = allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
}
