import Primitives
import Testing

@testable import Orchestration

@Suite struct SaltsTests {
    @Test func `the salts of a name are those of HKDF by other code`() throws {
        let salts = try Salts(app: "com.example.bank")
        // Python: RFC 5869 with hashlib, an empty salt and the info "swift-orchestration app salts".
        #expect(
            Hex.encode(salts.authenticator) == "b3635341608e173ad5cf935246e93ced047927fb2ddca60b589ddf6e23ee4f43")
        #expect(Hex.encode(salts.storage) == "17e395c2af2a2343b4fb5116caa412eb66a45527d03503b9ef797cad87362f24")
        let configuration = try Configuration(app: "com.example.bank")
        #expect(configuration.salts == salts)
        #expect(try Salts(app: "com.example.Bank") != salts)
    }

    @Test(arguments: ["", " ", "my bank", "bank\n", "b\u{FC}cher", String(repeating: "a", count: 129)])
    func `another name is an error that says what a name is`(app: String) throws {
        let error = #expect(throws: OrchestrationError(.invalidConfiguration)) { try Configuration(app: app) }
        #expect(error?.message.contains("com.example.bank") == true)
    }
}
