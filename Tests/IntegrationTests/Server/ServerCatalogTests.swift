import Foundation
import Hummingbird
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

@Suite struct ServerCatalogTests {
    static let ranges: [APIErrorCode.Category: ClosedRange<Int>] = [
        .system: -1099 ... -1000, .user: -1199 ... -1100, .provisioning: -1299 ... -1200,
        .authenticator: -1399 ... -1300, .session: -1499 ... -1400, .risk: -1599 ... -1500,
        .authentication: -1699 ... -1600, .transaction: -1799 ... -1700,
    ]

    @Test func `every code is listed once, in the range of its category`() throws {
        #expect(Set(APIErrorCode.all.map(\.number)).count == APIErrorCode.all.count)
        for code in APIErrorCode.all {
            #expect(try #require(Self.ranges[code.category]).contains(code.number), "\(code)")
            #expect((400...599).contains(code.status.code), "\(code)")
        }
    }

    @Test func `every code of the platform has a code of the API`() {
        for code in PlatformError.Code.all { #expect(APIErrorCode(code).platformCode == code, "\(code)") }
    }

    @Test func `the documentation lists the same codes`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("DocC/Orchestration.docc/Platform/RESTErrors.md"), encoding: .utf8)
        let documented = page.matches(of: /\| `(-\d+)` \| (\w+) \| (\d+) \| `(\w+)` \|/).map {
            "\($0.1) \($0.2) \($0.3) \($0.4)"
        }
        let listed = APIErrorCode.all.map {
            "\($0.number) \($0.category.rawValue) \($0.status.code) \($0.description)"
        }
        #expect(Set(documented) == Set(listed))
        #expect(documented.count == listed.count)
    }

    @Test(arguments: [("a%40b", "a@b"), ("%C3%AB", "ë"), ("plain", "plain"), ("%25", "%")])
    func `escapes are decoded`(segment: String, text: String) {
        #expect(Handlers.decoded(segment) == text)
    }

    @Test(arguments: ["%", "%4", "%zz", "%FF", "a%C3"])
    func `a broken escape is refused`(segment: String) {
        #expect(Handlers.decoded(segment) == nil)
    }

    @Test func `equal replies have equal bytes`() throws {
        let names = (0..<20).map { "field\($0)" }
        let reply = Dictionary(uniqueKeysWithValues: names.map { ($0, "a/b") })
        let expected = "{" + names.sorted().map { "\"\($0)\":\"a/b\"" }.joined(separator: ",") + "}"
        #expect(String(decoding: try JSONBody.encode(reply), as: UTF8.self) == expected)
    }
}
