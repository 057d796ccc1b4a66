import Testing

/// Missing fields and wrong types: a 400 that names the field.
@Suite struct ServerFieldTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let path: String
        let body: String
        let field: String

        init(_ path: String, _ body: String, _ field: String) {
            self.path = path
            self.body = body
            self.field = field
        }

        var testDescription: String { "\(path) \(body)" }
    }

    static let register = "/v1/users/register"
    static let status = "/v1/registrations/check-status"
    static let login = "/v1/users/alice%40master/login"
    static let synchronize = "/v1/users/alice%40master/sync-authenticator"

    static let rows = [
        Row(register, #"{"userID":"alice"}"#, "objectType"),
        Row(register, #"{"objectType":"Other","userID":"alice"}"#, "objectType"),
        Row(register, #"{"objectType":1,"userID":"alice"}"#, "objectType"),
        Row(register, #"{"objectType":"RegisterUserInputEx"}"#, "userID"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":null}"#, "userID"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":7}"#, "userID"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":""}"#, "userID"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"@b"}"#, "userID"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"a\nb"}"#, "userID"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"alice","domain":"a b"}"#, "domain"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"alice","domain":[]}"#, "domain"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"alice","staticPassword":1}"#, "staticPassword"),
        Row(
            register, #"{"objectType":"RegisterUserInputEx","userID":"alice","activationType":"fidó"}"#,
            "activationType"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"alice","sourceID":""}"#, "sourceID"),
        Row(login, #"{"objectType":"LoginInput","credentials":{"passKey":"x"},"sourceID":7}"#, "sourceID"),
        Row(
            login,
            #"{"objectType":"LoginInput","credentials":{"passKey":"x"},"sourceID":"\#(String(repeating: "s", count: 257))"}"#,
            "sourceID"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"alice","activationType":2}"#, "activationType"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"alice","clientIP":true}"#, "clientIP"),
        Row(register, #"{"objectType":"RegisterUserInputEx","userID":"alice","cddc":"x"}"#, "cddc"),
        Row(
            register,
            #"{"objectType":"RegisterUserInputEx","userID":"alice","cddc":{"browserCDDC":{"fingerprintHash":1}}}"#,
            "cddc.browserCDDC.fingerprintHash"),
        Row(status, "{}", "login"),
        Row(status, #"{"login":{}}"#, "login"),
        Row(status, #"{"login":"a@b@"}"#, "login"),
        Row(status, #"{"login":"alice","timeoutSeconds":true}"#, "timeoutSeconds"),
        Row(status, #"{"login":"alice","timeoutSeconds":"soon"}"#, "timeoutSeconds"),
        Row(status, #"{"login":"alice","timeoutSeconds":-1}"#, "timeoutSeconds"),
        Row(status, #"{"login":"alice","timeoutSeconds":"-1"}"#, "timeoutSeconds"),
        Row(status, #"{"login":"alice","timeoutSeconds":301}"#, "timeoutSeconds"),
        Row(status, #"{"login":"alice","timeoutSeconds":1.5}"#, "timeoutSeconds"),
        Row(status, #"{"login":"alice","timeoutSeconds":99999999999999999999}"#, "timeoutSeconds"),
        Row("/v1/orchestration-commands", "{}", "command"),
        Row("/v1/orchestration-commands", #"{"command":[]}"#, "command"),
        Row("/v1/orchestration-commands", #"{"command":"8101","clientIP":"example"}"#, "clientIP"),
        Row("/v1/orchestration-commands", #"{"command":"8101","clientIP":7}"#, "clientIP"),
        Row("/v1/orchestration-commands", #"{"command":"8101","clientIP":""}"#, "clientIP"),
        Row("/v1/orchestration-commands", #"{"command":"8101","clientIP":"192.0.2.1:80"}"#, "clientIP"),
        Row("/v1/orchestration-commands", #"{"command":"8101","clientIP":"[::1]"}"#, "clientIP"),
        Row("/v1/orchestration-commands", #"{"command":"8101","clientIP":"192.0.2.1\u0000"}"#, "clientIP"),
        Row(
            "/v1/orchestration-commands",
            #"{"command":"8101","clientIP":"fe80::1%\#(String(repeating: "z", count: 57))"}"#, "clientIP"),
        Row(login, #"{"credentials":{"authenticator":{"OTP":"12345678"}}}"#, "objectType"),
        Row(login, #"{"objectType":"LoginInput","credentials":[]}"#, "credentials"),
        Row(login, #"{"objectType":"LoginInput","credentials":{}}"#, "credentials"),
        Row(login, #"{"objectType":"LoginInput","credentials":{"passKey":null}}"#, "credentials"),
        Row(login, #"{"objectType":"LoginInput","credentials":{"fido":{}}}"#, "credentials.fido"),
        Row(login, #"{"objectType":"LoginInput","credentials":{"passKey":"x","fido":null}}"#, "credentials.fido"),
        Row(login, #"{"objectType":"LoginInput","credentials":{"authenticator":{}}}"#, "credentials.authenticator.OTP"),
        Row(
            login, #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":12345678}}}"#,
            "credentials.authenticator.OTP"),
        Row(
            login, #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"12345678","application":9}}}"#,
            "credentials.authenticator.application"),
        Row(login, #"{"objectType":"LoginInput","credentials":{"passKey":{}}}"#, "credentials.passKey"),
        Row(
            login, #"{"objectType":"LoginInput","credentials":{"passKey":"x","authenticator":{"OTP":"1"}}}"#,
            "credentials"),
        Row(login, #"{"objectType":"LoginInput","requestID":7}"#, "requestID"),
        Row(synchronize, #"{"secondOTP":"12345678"}"#, "firstOTP"),
        Row(synchronize, #"{"firstOTP":"12345678","secondOTP":12345679}"#, "secondOTP"),
        Row(synchronize, #"{"firstOTP":"12345678","secondOTP":"12345678"}"#, "secondOTP"),
        Row("/v1/users/%FF/login", #"{"objectType":"LoginInput"}"#, "user"),
        Row("/v1/users/a%2Fb/login", #"{"objectType":"LoginInput"}"#, "user"),
        Row("/v1/users/a%40b%40c_/unregister", "{}", "user"), Row("/v1/users/%40a%40b/unregister", "{}", "user"),
    ]

    @Test(arguments: rows) func `a wrong field is named`(row: Row) async throws {
        try await TestServer.run { server in
            let answer = try await server.post(row.path, row.body)
            #expect(answer.status == 400)
            #expect(answer.fields == [row.field])
            #expect([-1001, -1101].contains(answer.errorCode))
        }
    }

    @Test(arguments: [
        (register, #"{"objectType":"RegisterUserInputEx","userID":"alice","staticPassword":"TEXT"}"#, 1_024),
        (login, #"{"objectType":"LoginInput","credentials":{"passKey":"TEXT"}}"#, 1_024),
        (login, #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"TEXT"}}}"#, 32),
        (login, #"{"objectType":"LoginInput","credentials":{"passKey":"x"},"requestID":"TEXT"}"#, 256),
        (login, #"{"objectType":"LoginInput","credentials":{"passKey":"x"},"clientIP":"TEXT"}"#, 256),
        (synchronize, #"{"firstOTP":"TEXT","secondOTP":"1"}"#, 32),
        (synchronize, #"{"firstOTP":"1","secondOTP":"TEXT"}"#, 32),
    ]) func `a text has at most the bytes of its field`(path: String, body: String, limit: Int) async throws {
        try await TestServer.run { server in
            func fields(_ count: Int) async throws -> [String] {
                let text = String(repeating: "7", count: count)
                return try await server.post(path, body.replacing("TEXT", with: text)).fields
            }
            #expect(try await fields(limit).isEmpty)
            let field = try #require(try await fields(limit + 1).first?.split(separator: ".").last)
            #expect(body.contains("\"\(field)\":\"TEXT\""))
        }
    }

    @Test func `what was sent is not repeated in an error`() async throws {
        try await TestServer.run { server in
            let answer = try await server.post(
                Self.register, #"{"objectType":"canary-7f3a","userID":"canary-7f3a"}"#)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("canary"))
        }
    }

    @Test func `unknown fields are ignored`() async throws {
        try await TestServer.run { server in
            let answer = try await server.post(
                Self.register,
                #"{"objectType":"RegisterUserInputEx","userID":"alice","novelty":{"a":[1,null]},"cddc":{"browserCDDC":{"b":1},"c":2}}"#
            )
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["null", "true", "1.5", "\"{}\"", "[1]", #"{"a":[]}"#])
    func `the raw fingerprint may be any value`(value: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.post(
                Self.register,
                #"{"objectType":"RegisterUserInputEx","userID":"alice","cddc":{"browserCDDC":{"fingerprintRaw":\#(value)}}}"#
            )
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["0", "\"0\"", "null"]) func `a number may be a string, and absent`(value: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.post(Self.status, #"{"login":"alice","timeoutSeconds":\#(value)}"#)
            #expect(answer.status == 200)
            #expect(answer.text("activationStatus") == "unknown")
        }
    }
}
