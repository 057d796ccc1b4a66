/// The requests of one connection, in their order.
struct RequestPlan {
    private let key: String
    private let fixed: [[UInt8]]
    /// The accounts with their places in the file.
    private let accounts: [(index: Int, account: PreparedCodes.Account)]
    private let replays: Bool
    private var round = 0
    private var position = 0

    /// Creates a plan that repeats one request.
    init(repeating request: [UInt8]) {
        (key, fixed, accounts, replays) = ("", [request], [], false)
    }

    /// Creates a plan of logins that wait for an approval, one for each user in turn.
    init(announcing users: [String], key: String) {
        (self.key, accounts, replays) = (key, [], false)
        fixed = users.map { RequestText.login($0, key: key) }
    }

    /// Creates a plan of logins, one for each account in turn.
    ///
    /// - Parameter replays: Whether the last code that was accepted is sent once more.
    init(_ accounts: [(Int, PreparedCodes.Account)], replays: Bool, key: String) {
        (self.key, fixed, self.accounts, self.replays) = (
            key, [], accounts.map { (index: $0.0, account: $0.1) }, replays
        )
    }

    /// Returns the next request and the place of its account; nil when all codes are used up.
    mutating func next() -> (request: [UInt8], account: Int?)? {
        if !fixed.isEmpty {
            defer { position = (position + 1) % fixed.count }
            return (fixed[position], nil)
        }
        while true {
            if position == accounts.count { (position, round) = (0, round + 1) }
            guard !accounts.isEmpty, !(replays && round > 0) else { return nil }
            let (index, account) = accounts[position]
            position += 1
            let number = replays ? account.accepted : account.sent + round
            guard let number, account.codes.indices.contains(number) else {
                if replays { continue }
                // All accounts have the same number of codes.
                return nil
            }
            return (RequestText.login(account.user, code: account.codes[number], key: key), index)
        }
    }
}

/// Requests as bytes.
enum RequestText {
    static func get(_ path: String) -> [UInt8] { Array("GET \(path) HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8) }

    static func login(_ user: String, code: String, key: String) -> [UInt8] {
        let credentials = #""credentials":{"authenticator":{"OTP":"\#(code)","application":2}}"#
        return login(user, member: credentials, key: key)
    }

    /// Returns a login that waits for an approval, and is answered at once.
    static func login(_ user: String, key: String) -> [UInt8] { login(user, member: #""timeout":0"#, key: key) }

    private static func login(_ user: String, member: String, key: String) -> [UInt8] {
        let body = #"{"objectType":"LoginInput",\#(member)}"#
        return Array(
            """
            POST /v1/users/\(user)@master/login HTTP/1.1\r
            host: localhost\r
            authorization: Bearer \(key)\r
            content-type: application/json\r
            content-length: \(body.utf8.count)\r
            \r
            \(body)
            """.utf8)
    }
}
