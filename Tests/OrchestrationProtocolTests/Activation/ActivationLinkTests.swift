import Primitives
import Testing

@testable import OrchestrationProtocol

/// The text of an activation link.
@Suite struct ActivationLinkTests {
    private static let text =
        "swift-orchestration:activate?at=https://id.example.com&tenant=37a8eec1ce19687d&user=alice@master&handle=7Q2"

    private static func link(
        at address: String = "https://id.example.com", user: String = "alice", handle: UInt16 = 0x1EE2
    ) throws -> ActivationLink {
        try #require(
            ActivationLink(
                address: address, tenant: "default", account: AccountName(userID: user, domain: "master"),
                handle: handle))
    }

    /// Returns the code of the refusal of a text; `nil` for a link.
    private static func refusal(_ text: String) -> ActivationLinkError.Code? {
        do {
            _ = try ActivationLink(text)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a link has the text of the article, and is read as it was made`() throws {
        let link = try Self.link()
        #expect(link.text == Self.text)
        let read = try ActivationLink(Self.text)
        #expect(read == link && read.names(tenant: "default") && !read.names(tenant: "Default"))
        #expect(read.address == "https://id.example.com" && read.account.text == "alice@master")
    }

    @Test(arguments: ["Zoë Ö", "a+b&c=d?e#f%41", "tom@shop.example", "\u{1F600}", "'\"<>\\^`{|}"])
    func `each user and address comes back`(user: String) throws {
        for address in ["http://127.0.0.1:8080/a/b", "https://[::1]/?a=b&c=%20#d"] {
            for handle in [0, 1, 32, 0x7FFF] as [UInt16] {
                let link = try Self.link(at: address, user: user, handle: handle)
                #expect(link.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
                #expect(link.text.count { $0 == "&" } == 3)
                #expect(try ActivationLink(link.text) == link)
            }
        }
    }

    @Test func `the longest link is read, and no longer one is made`() throws {
        let address = "https://" + String(repeating: "&", count: 120)
        let user = String(repeating: "é", count: 64)
        let account = try AccountName(userID: user, domain: String(repeating: "a", count: 64))
        let plain = "https://" + String(repeating: "a", count: 120)
        let longest = try #require(
            ActivationLink(address: plain, tenant: "default", account: account, handle: 1))
        #expect(longest.text.utf8.count <= 768)
        #expect(try ActivationLink(longest.text) == longest)
        #expect(ActivationLink(address: address, tenant: "default", account: account, handle: 1) == nil)
    }

    @Test(
        arguments: [
            "", "alice", "https://id.example.com", "swift-orchestration:activate", "SWIFT-ORCHESTRATION:activate?at=",
            text + "\u{E9}", String(repeating: "a", count: 769),
        ])
    func `a text of another kind is not a link`(other: String) { #expect(Self.refusal(other) == .notALink) }

    @Test(
        arguments: [
            // A part is missing, twice, more or in another place.
            ("&handle=7Q2", ""), ("&user=alice@master", ""), ("&handle=7Q2", "&handle=7Q2&handle=7Q2"),
            ("&handle=7Q2", "&handle=7Q2&for=move"), ("&handle=7Q2", "&handle=7Q2&"), ("handle", "Handle"),
            ("tenant=37a8eec1ce19687d&user=alice@master", "user=alice@master&tenant=37a8eec1ce19687d"),
            // The address.
            ("https://id.example.com", ""), ("https://id.example.com", "https://"), ("https://", "ftp://"),
            ("https://", "HTTPS://"), ("id.example.com", "id%20example.com"), ("id.example.com", "%C3%A9"),
            // The tenant.
            ("37a8eec1ce19687d", "37a8eec1ce19687"), ("37a8eec1ce19687d", "37a8eec1ce19687d00"),
            ("37a8eec1ce19687d", "37A8EEC1CE19687D"), ("37a8eec1ce19687d", "37a8eec1ce19687g"),
            // The user.
            ("alice@master", "alice"), ("alice@master", "@master"), ("alice@master", "alice@Master"),
            ("alice@master", "al%2Fice@master"), ("alice@master", "alice%0A@master"), ("alice@master", "%FF@master"),
            // The same user in another spelling.
            ("alice@master", "%61lice@master"), ("alice@master", "alice%40master"), ("alice@master", "al+ice@master"),
            ("alice@master", "e%CC%81@master"), ("alice@master", "%c3%a9@master"), ("alice@master", "alice%4@master"),
            ("alice@master", "alice%+1@master"),
            // The handle.
            ("=7Q2", "=7Q"), ("=7Q2", "=7Q23"), ("=7Q2", "=7q2"), ("=7Q2", "=7QU"), ("=7Q2", "=7QO"), ("=7Q2", "="),
        ])
    func `an altered link is refused`(part: String, other: String) {
        let altered = Self.text.replacing(part, with: other)
        #expect(altered != Self.text && Self.refusal(altered) == .malformed, "\(altered)")
    }

    @Test func `no flipped bit gives the same link, and none traps`() throws {
        let bytes = Array(Self.text.utf8)
        let link = try ActivationLink(Self.text)
        for bit in 0..<(bytes.count * 8) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            let text = String(decoding: flipped, as: UTF8.self)
            if let read = try? ActivationLink(text) { #expect(read != link && read.text == text) }
        }
    }

    @Test func `nine typed characters complete the handle, and others stay as they are`() throws {
        let link = try Self.link()
        for (typed, whole) in [
            ("A-BCDE-FGHJ", "7Q2A-BCDE-FGHJ"), ("abcdefghj", "7Q2abcdefghj"), (" abc defg hj ", "7Q2 abc defg hj "),
            ("7Q2A-BCDE-FGHJ", "7Q2A-BCDE-FGHJ"), ("abcdefgh", "abcdefgh"), ("", ""),
        ] {
            let completed = link.activationPassword(completedBy: SecretBytes(copying: typed.utf8))
            #expect(completed.withBytes { String(decoding: [UInt8]($0), as: UTF8.self) } == whole)
        }
    }
}
