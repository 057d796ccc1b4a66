import Foundation

/// Accounts with the codes that their devices have made, and the number of codes that were sent.
struct PreparedCodes: Codable {
    struct Account: Codable {
        let user: String
        /// Codes of the application 2, in the order of their counter.
        let codes: [String]
        /// The number of codes that were sent.
        var sent = 0
        /// The place of the last code whose acceptance was answered.
        var accepted: Int?
    }

    var accounts: [Account]

    init(accounts: [Account]) { self.accounts = accounts }

    init(path: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
    }

    func write(to path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: path), options: .atomic)
    }
}
