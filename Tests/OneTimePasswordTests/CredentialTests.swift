import OneTimePassword
import Primitives
import Testing

/// The import and export of credentials of other authenticator apps.
@Suite struct CredentialTests {
    private let hello = Array("Hello!".utf8) + [0xDE, 0xAD, 0xBE, 0xEF]

    private func array(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { span in span.indices.map { span[$0] } }
    }

    @Test func `the example of the format is read`() throws {
        let text = "otpauth://totp/Example:alice@google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        let credential = try OneTimePasswordCredential(uri: text)
        let (issuer, account) = (credential.issuer, credential.account)
        let (kind, digits, algorithm) = (credential.kind, credential.digits, credential.algorithm)
        #expect(issuer == "Example")
        #expect(account == "alice@google.com")
        #expect(kind == .totp(timeStep: 30))
        #expect(digits == 6)
        #expect(algorithm == .sha1)
        #expect(array(credential.secret) == hello)
    }

    @Test func `a full URI is read, in any case of letters and with the colon in either form`() throws {
        let texts = [
            "otpauth://hotp/Big%20Corporation%3A%20alice%40bigco.com?secret=JBSWY3DPEHPK3PXP&issuer=Big%20Corporation"
                + "&algorithm=SHA512&digits=8&counter=18446744073709551615",
            "OTPAUTH://HOTP/Big%20Corporation:%20alice@bigco.com?COUNTER=18446744073709551615&digits=8"
                + "&algorithm=sha512&secret=jbswy3dpehpk3pxp",
        ]
        for text in texts {
            let credential = try OneTimePasswordCredential(uri: SecretBytes(copying: text.utf8))
            let (issuer, account) = (credential.issuer, credential.account)
            let (kind, digits, algorithm) = (credential.kind, credential.digits, credential.algorithm)
            #expect(issuer == "Big Corporation")
            #expect(account == "alice@bigco.com")
            #expect(kind == .hotp(counter: .max))
            #expect(digits == 8)
            #expect(algorithm == .sha512)
            #expect(array(credential.secret) == hello)
        }
    }

    @Test(arguments: [
        "otpauth://totp/ACME%20Co:john?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=ACME%20Co&algorithm=SHA256"
            + "&digits=8&period=60",
        "otpauth://hotp/alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&counter=0",
        "otpauth://totp/%E5%B1%B1:%C3%A9%26%3D%3F?secret=ME&issuer=%E5%B1%B1&algorithm=SHA512&digits=10&period=86400",
    ])
    func `a URI that is read is written the same`(_ text: String) throws {
        let credential = try OneTimePasswordCredential(uri: text)
        #expect(credential.uri() == text)
    }

    @Test func `a credential makes the codes of its parameters`() throws {
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        let totp = try OneTimePasswordCredential(uri: "otpauth://totp/a?secret=\(secret)&digits=8").totp()
        #expect(totp.code(at: Timestamp(secondsSinceEpoch: 59)).digits == "94287082")
        let hotp = try OneTimePasswordCredential(uri: "otpauth://hotp/a?secret=\(secret)&counter=9").hotp()
        #expect(hotp.code(counter: 9).digits == "520489")
        #expect(throws: OneTimePasswordError.self) {
            _ = try OneTimePasswordCredential(uri: "otpauth://hotp/a?secret=\(secret)&counter=9").totp()
        }
        #expect(throws: OneTimePasswordError.self) {
            _ = try OneTimePasswordCredential(uri: "otpauth://totp/a?secret=\(secret)").hotp()
        }
    }

    @Test func `padding, unknown parameters and those of the other type are ignored`() throws {
        for query in ["secret=ME======", "secret=ME%3D%3D%3D%3D%3D%3D", "secret=ME&image=x&color=y&counter=1"] {
            let credential = try OneTimePasswordCredential(uri: "otpauth://totp/a?\(query)")
            #expect(array(credential.secret) == [0x61])
        }
        let hotp = try OneTimePasswordCredential(uri: "otpauth://hotp/a?secret=ME&counter=1&period=30")
        let kind = hotp.kind
        #expect(kind == .hotp(counter: 1))
    }

    @Test(arguments: [
        ("", OneTimePasswordError.Code.invalidURI), ("otpauth:", .invalidURI), ("otpauth://", .invalidURI),
        ("http://totp/a?secret=ME", .invalidURI), ("otpauth://totp", .invalidURI), ("otpauth://totp/a", .invalidURI),
        ("otpauth://yotp/a?secret=ME", .invalidURI), ("otpauth:///a?secret=ME", .invalidURI),
        ("otpauth://totp/a?secret", .invalidURI), ("otpauth://totp/a?secret=ME&", .invalidURI),
        ("otpauth://totp/a?", .missingParameter),
        ("otpauth://totp/a?secret=ME&&digits=6", .invalidURI), ("otpauth://totp/a b?secret=ME", .invalidURI),
        ("otpauth://totp/é?secret=ME", .invalidURI), ("otpauth://totp/a%2?secret=ME", .invalidURI),
        ("otpauth://totp/a%zz?secret=ME", .invalidURI), ("otpauth://totp/a#f?secret=ME", .invalidURI),
        ("otpauth://totp/a?secret=ME#f", .invalidURI), ("otpauth://totp/a?secret=ME\n", .invalidURI),
        ("otpauth://totp/?secret=ME", .invalidLabel), ("otpauth://totp/a:b:c?secret=ME", .invalidLabel),
        ("otpauth://totp/:a?secret=ME", .invalidLabel), ("otpauth://totp/a:?secret=ME", .invalidLabel),
        ("otpauth://totp/%FF?secret=ME", .invalidLabel), ("otpauth://totp/a%00?secret=ME", .invalidLabel),
        ("otpauth://totp/a%0A?secret=ME", .invalidLabel), ("otpauth://totp/A:b?secret=ME&issuer=B", .invalidLabel),
        ("otpauth://totp/b?secret=ME&issuer=A%3AB", .invalidLabel),
        ("otpauth://totp/a?digits=6", .missingParameter), ("otpauth://hotp/a?secret=ME", .missingParameter),
        ("otpauth://totp/a?secret=", .invalidKey), ("otpauth://totp/a?secret=M", .invalidParameter),
        ("otpauth://totp/a?secret=M1", .invalidParameter), ("otpauth://totp/a?secret=MF", .invalidParameter),
        ("otpauth://totp/a?secret=M%20E", .invalidParameter), ("otpauth://totp/a?secret=ME=", .invalidParameter),
        ("otpauth://totp/a?secret=ME&secret=ME", .repeatedParameter),
        ("otpauth://totp/a?secret=ME&DIGITS=6&digits=6", .repeatedParameter),
        ("otpauth://totp/a?secret=ME&algorithm=MD5", .invalidParameter),
        ("otpauth://totp/a?secret=ME&algorithm=", .invalidParameter),
        ("otpauth://totp/a?secret=ME&digits=5", .invalidParameter),
        ("otpauth://totp/a?secret=ME&digits=11", .invalidParameter),
        ("otpauth://totp/a?secret=ME&digits=+6", .invalidParameter),
        ("otpauth://totp/a?secret=ME&digits=", .invalidParameter),
        ("otpauth://totp/a?secret=ME&period=0", .invalidParameter),
        ("otpauth://totp/a?secret=ME&period=86401", .invalidParameter),
        ("otpauth://totp/a?secret=ME&period=-30", .invalidParameter),
        ("otpauth://hotp/a?secret=ME&counter=18446744073709551616", .invalidParameter),
        ("otpauth://hotp/a?secret=ME&counter=99999999999999999999", .invalidParameter),
        ("otpauth://hotp/a?secret=ME&counter=0000000000000000000001", .invalidParameter),
        ("otpauth://hotp/a?secret=ME&counter=x", .invalidParameter),
    ])
    func `a URI that is wrong is refused by name`(_ text: String, _ code: OneTimePasswordError.Code) {
        let error = #expect(throws: OneTimePasswordError.self) { _ = try OneTimePasswordCredential(uri: text) }
        #expect(error?.code == code)
    }

    @Test func `a URI and names that are too long are refused`() {
        let long = "otpauth://totp/a?secret=" + String(repeating: "A", count: 8192)
        #expect(throws: OneTimePasswordError.self) { _ = try OneTimePasswordCredential(uri: long) }
        let name = String(repeating: "n", count: 257)
        let error = #expect(throws: OneTimePasswordError.self) {
            _ = try OneTimePasswordCredential(uri: "otpauth://totp/\(name)?secret=ME")
        }
        #expect(error?.code == .invalidLabel)
    }

    @Test func `an error of a URI never holds a part of it`() throws {
        let text = "otpauth://totp/CANARYLABEL?secret=CANARYSECRET1&issuer=CANARYISSUER"
        let error = try #require(
            throws: OneTimePasswordError.self, performing: { _ = try OneTimePasswordCredential(uri: text) })
        #expect((error.underlying as? TextDecodingError)?.position == 12)
        var dumped = error.description + String(reflecting: error)
        dump(error, to: &dumped)
        #expect(dumped.contains("the parameter secret is not Base32: "))
        #expect(!dumped.contains("CANARY"))
    }

    @Test func `a credential checks its parameters`() {
        func make(
            _ kind: OneTimePasswordCredential.Kind, _ issuer: String?, _ account: String, _ count: Int, _ digits: Int
        ) -> OneTimePasswordError.Code? {
            do throws(OneTimePasswordError) {
                _ = try OneTimePasswordCredential(
                    kind: kind, issuer: issuer, account: account,
                    secret: SecretBytes(copying: [UInt8](repeating: 1, count: count)), digits: digits)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(make(.totp(timeStep: 30), nil, "a", 20, 6) == nil)
        #expect(make(.totp(timeStep: 0), nil, "a", 20, 6) == .invalidStep)
        #expect(make(.hotp(counter: 0), "", "a", 20, 6) == .invalidLabel)
        #expect(make(.hotp(counter: 0), nil, "a:b", 20, 6) == .invalidLabel)
        #expect(make(.hotp(counter: 0), nil, "a", 0, 6) == .invalidKey)
        #expect(make(.hotp(counter: 0), nil, "a", 20, 5) == .invalidDigits)
    }
}
