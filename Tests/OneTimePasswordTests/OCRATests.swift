import OneTimePassword
import Primitives
import TestSupport
import Testing

private struct RFC6287: Decodable, Sendable {
    struct Group: Decodable, Sendable {
        let name, suite, key_hex: String
        let vectors: [Row]
    }
    struct Row: Decodable, Sendable {
        let Q: String
        let C: UInt64?
        let P: String?
        let T: Int64?
        let otp: String
    }
    let sets: [Group]
}

private struct Suites: Decodable, Sendable {
    struct Row: Decodable, Sendable, CustomStringConvertible {
        let suite, key_hex, question: String
        let counter: UInt64?
        let pin, session: String?
        let seconds: Int64?
        let code: String
        var description: String { suite }
    }
    let vectors: [Row]
}

private let rfc = Vectors.load(RFC6287.self, "otp/ocra_rfc6287.json")
private let suites = Vectors.load(Suites.self, "otp/ocra_suites.json")

private func ocra(_ text: String, _ hex: String, pin: String? = nil) throws -> OCRA {
    let suite = try OCRA.Suite(text)
    if let pin {
        let pin = try OCRA.PIN(SecretBytes(copying: pin.utf8))
        return try OCRA(suite: suite, key: key(hex, suite.algorithm), pin: pin)
    }
    return try OCRA(suite: suite, key: key(hex, suite.algorithm))
}

/// Returns an OCRA with the seed of the RFC.
private func ocra(_ text: String, pin: String? = nil) throws -> OCRA {
    let suite = try OCRA.Suite(text)
    return try ocra(text, Hex.encode(seed(suite.algorithm)), pin: pin)
}

private func code(_ error: OneTimePasswordError?) -> OneTimePasswordError.Code? { error?.code }

@Suite struct OCRATests {
    @Test func `the codes of RFC 6287 appendix C`() throws {
        var count = 0
        for group in rfc.sets {
            for row in group.vectors {
                // Appendixes C.1 to C.3 have the time as a number of minutes (erratum 3899).
                let time = row.T.map { Timestamp(secondsSinceEpoch: $0 * 60) }
                let question = OCRA.Question.challenge(row.Q)
                let questions: [OCRA.Question]
                switch group.name {
                case let name where name.hasPrefix("mutual server"):
                    questions = [.serverResponse(client: String(row.Q.prefix(8)), server: String(row.Q.suffix(8)))]
                case let name where name.hasPrefix("mutual client"):
                    questions = [.clientResponse(client: String(row.Q.suffix(8)), server: String(row.Q.prefix(8)))]
                default: questions = [question, .signature(row.Q)]
                }
                let ocra = try ocra(group.suite, group.key_hex, pin: row.P)
                for question in questions {
                    let input = OCRA.Input(question, counter: row.C, time: time)
                    #expect(try ocra.code(for: input).digits == row.otp)
                    #expect(try ocra.verify(row.otp, for: input) != nil)
                }
                count += 1
            }
        }
        #expect(count == 70)
    }

    @Test func `three hundred random suites agree with another implementation`() throws {
        #expect(suites.vectors.count == 300)
        for row in suites.vectors {
            let ocra = try ocra(row.suite, row.key_hex, pin: row.pin)
            let input = OCRA.Input(
                .challenge(row.question), counter: row.counter, session: row.session.map { Array($0.utf8) },
                time: row.seconds.map(Timestamp.init(secondsSinceEpoch:)))
            #expect(try ocra.code(for: input).digits == row.code, "\(row)")
            #expect(try ocra.verify(row.code, for: input) != nil, "\(row)")
            let wrong = (row.code.last == "0" ? "1" : "0")
            #expect(try ocra.verify(row.code.dropLast() + wrong, for: input) == nil, "\(row)")
            #expect(try ocra.verify(row.code + "0", for: input) == nil, "\(row)")
            #expect(try ocra.verify("", for: input) == nil, "\(row)")
        }
    }

    @Test func `every part of the input changes the code`() throws {
        let ocra = try ocra("OCRA-1:HOTP-SHA256-8:C-QA08-PSHA256-S010-T30S", pin: "1234")
        let time = Timestamp(secondsSinceEpoch: 1_700_000_010)
        let input = OCRA.Input(.challenge("question"), counter: 1, session: [1, 2], time: time)
        let code = try ocra.code(for: input).digits
        var others = [input, input, input, input, input]
        others[0].question = .challenge("questioN")
        others[1].counter = 2
        others[2].session = [1, 2, 0]
        others[3].time = time.advanced(seconds: 30)
        others[4].question = .challenge("quest")
        for other in others { #expect(try ocra.code(for: other).digits != code) }
        let otherPIN = try OneTimePasswordTests.ocra("OCRA-1:HOTP-SHA256-8:C-QA08-PSHA256-S010-T30S", pin: "1235")
        #expect(try otherPIN.code(for: input).digits != code)
        #expect(try ocra.code(for: input).digits == code)
    }

    @Test func `a numeric question is not injective, a hashed one is`() throws {
        let numeric = try ocra("OCRA-1:HOTP-SHA1-6:QN08")
        let codes = try ["100", "1600", "25600"].map { try numeric.code(for: .init(.challenge($0))).digits }
        #expect(Set(codes).count == 1)
        #expect(try numeric.code(for: .init(.challenge("101"))).digits != codes[0])
    }

    @Test func `mutual authentication distinguishes the two sides`() throws {
        let ocra = try ocra("OCRA-1:HOTP-SHA256-8:QA08")
        let server = OCRA.Input(.serverResponse(client: "CLI22220", server: "SRV11110"))
        let client = OCRA.Input(.clientResponse(client: "CLI22220", server: "SRV11110"))
        #expect(try ocra.code(for: server).digits == "28247970")
        #expect(try ocra.code(for: client).digits == "15510767")
        #expect(try ocra.verify("28247970", for: client) == nil)
        #expect(try ocra.code(for: .init(.concatenated("CLI22220SRV11110"))).digits == "28247970")
        #expect(throws: OneTimePasswordError.self) {
            _ = try ocra.code(for: .init(.concatenated("CLI22220SRV111100")))
        }
    }

    @Test func `the hashed suites are those of the protocol`() throws {
        // The crypto applications app3 and app4 of an activated device use these suites.
        #expect(try OCRA.Suite("OCRA-1:HOTP-SHA256-8:QH64") == .hashedChallenge)
        #expect(try OCRA.Suite("OCRA-1:HOTP-SHA256-8:C-QH64") == .hashedSignature)
        let hash = seed(.sha256)
        let challenge = try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(hash.span))
        let byText = OCRA.Input(.challenge(Hex.encode(hash).uppercased()))
        #expect(try challenge.code(for: .init(.hash(hash))).digits == challenge.code(for: byText).digits)
    }

    @Test func `the counter is searched forward only`() throws {
        let ocra = try OCRA(suite: .hashedSignature, key: OneTimePasswordKey(seed(.sha256).span))
        let question = OCRA.Question.hash(seed(.sha256))
        let code = try ocra.code(for: .init(question, counter: 15)).digits
        #expect(try ocra.verify(code, for: .init(question, counter: 5), lookAhead: 10)?.counter == 15)
        #expect(try ocra.verify(code, for: .init(question, counter: 15))?.counter == 15)
        #expect(try ocra.verify(code, for: .init(question, counter: 5), lookAhead: 9) == nil)
        #expect(try ocra.verify(code, for: .init(question, counter: 16), lookAhead: 10) == nil)
        let last = try ocra.code(for: .init(question, counter: .max)).digits
        #expect(try ocra.verify(last, for: .init(question, counter: .max - 1), lookAhead: .max)?.counter == .max)
    }

    @Test func `the time is searched in both directions`() throws {
        let ocra = try ocra("OCRA-1:HOTP-SHA1-8:C-QN08-T2H")
        let time = Timestamp(secondsSinceEpoch: 1_700_000_000)
        let input = OCRA.Input(.challenge("12345678"), counter: 3, time: time)
        let code = try ocra.code(for: input).digits
        var verified = input
        verified.counter = 1
        for offset: Int64 in -3...3 {
            verified.time = time.advanced(seconds: offset * 7200)
            let match = try ocra.verify(code, for: verified, lookAhead: 4, tolerance: 2)
            #expect((match != nil) == (abs(offset) <= 2))
            if let match {
                #expect(match.counter == 3)
                #expect(match.step == 236_111)
            }
        }
        verified.time = Timestamp(secondsSinceEpoch: -1)
        #expect(try ocra.verify(code, for: verified, lookAhead: .min, tolerance: .max) == nil)
    }

    @Test func `the hash of a PIN makes the same codes as the PIN`() throws {
        let suite = try OCRA.Suite("OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1")
        let sha1 = try Hex.decode("7110eda4d09e062aa5e4a390b0a572ac0d2c0220")  // of "1234"
        let key = try OneTimePasswordKey(copying: seed(.sha256), algorithm: .sha256)
        let ocra = try OCRA(suite: suite, key: key, pin: .init(hash: SecretBytes(copying: sha1)))
        #expect(try ocra.code(for: .init(.challenge("12345678"), counter: 0)).digits == "65347737")
        let error = #expect(throws: OneTimePasswordError.self) {
            let key = try OneTimePasswordKey(copying: seed(.sha256), algorithm: .sha256)
            _ = try OCRA(suite: suite, key: key, pin: .init(hash: SecretBytes(copying: sha1.dropLast())))
        }
        #expect(code(error) == .invalidPIN)
        #expect(throws: OneTimePasswordError.self) { _ = try OCRA.PIN(SecretBytes(copying: [])) }
    }

    @Test func `the input has exactly the values of the suite`() throws {
        let full = try ocra("OCRA-1:HOTP-SHA1-6:C-QN08-S064-T1M")
        let bare = try ocra("OCRA-1:HOTP-SHA1-6:QN08")
        let time = Timestamp(secondsSinceEpoch: 0)
        let question = OCRA.Question.challenge("1")
        let missing = [
            OCRA.Input(question, session: [], time: time), OCRA.Input(question, counter: 0, time: time),
            OCRA.Input(question, counter: 0, session: []),
        ]
        for input in missing {
            #expect(code(#expect(throws: OneTimePasswordError.self) { _ = try full.code(for: input) }) == .missingInput)
            #expect(throws: OneTimePasswordError.self) { _ = try full.verify("000000", for: input) }
        }
        let unexpected = [
            OCRA.Input(question, counter: 0), OCRA.Input(question, session: []), OCRA.Input(question, time: time),
        ]
        for input in unexpected {
            let error = #expect(throws: OneTimePasswordError.self) { _ = try bare.code(for: input) }
            #expect(code(error) == .unexpectedInput)
        }
        #expect(try full.code(for: .init(question, counter: 0, session: [], time: time)).digits.count == 6)
        let noPIN = #expect(throws: OneTimePasswordError.self) { _ = try ocra("OCRA-1:HOTP-SHA1-6:QN08-PSHA1") }
        #expect(code(noPIN) == .missingInput)
        let aPIN = #expect(throws: OneTimePasswordError.self) { _ = try ocra("OCRA-1:HOTP-SHA1-6:QN08", pin: "1") }
        #expect(code(aPIN) == .unexpectedInput)
        let otherKey = #expect(throws: OneTimePasswordError.self) {
            _ = try OCRA(suite: .hashedChallenge, key: OneTimePasswordKey(copying: [1], algorithm: .sha1))
        }
        #expect(code(otherKey) == .invalidKey)
    }

    @Test(arguments: [
        ("QN08", ""), ("QN08", "123456789"), ("QN08", "12a"), ("QN08", "-1"), ("QN08", "+1"), ("QN08", "1 "),
        ("QN08", "１"), ("QA08", ""), ("QA08", "123456789"), ("QA08", "é"), ("QA08", "a\n"), ("QA08", "a\u{7F}"),
        ("QH08", ""), ("QH08", "123456789"), ("QH08", "0g"), ("QH08", "0x1"), ("QH08", "１"),
    ])
    func `a question without the form of the suite is refused`(_ format: String, _ question: String) throws {
        let ocra = try ocra("OCRA-1:HOTP-SHA1-6:\(format)")
        for question in [OCRA.Question.challenge(question), .serverResponse(client: "1", server: question)] {
            let error = #expect(throws: OneTimePasswordError.self) { _ = try ocra.code(for: .init(question)) }
            #expect(code(error) == .invalidQuestion)
        }
    }

    @Test func `session information longer than in the suite is refused`() throws {
        let ocra = try ocra("OCRA-1:HOTP-SHA1-6:QN08-S003")
        #expect(try ocra.code(for: .init(.challenge("1"), session: [1, 2, 3])).digits.count == 6)
        let error = #expect(throws: OneTimePasswordError.self) {
            _ = try ocra.code(for: .init(.challenge("1"), session: [1, 2, 3, 4]))
        }
        #expect(code(error) == .invalidSession)
    }

    @Test func `the longest questions fit`() throws {
        for (format, character) in [("QN64", "9"), ("QA64", "z"), ("QH64", "f")] {
            let ocra = try ocra("OCRA-1:HOTP-SHA1-0:\(format)")
            let text = String(repeating: character, count: 64)
            let code = try ocra.code(for: .init(.serverResponse(client: text, server: text))).digits
            #expect(code.count == 40)
            let input = OCRA.Input(.serverResponse(client: text, server: text))
            #expect(try ocra.verify(code.uppercased(), for: input) != nil)
            #expect(try ocra.verify(code.dropLast(2), for: input) == nil)
        }
    }

    @Test(arguments: [("SHA1", 20), ("SHA256", 32), ("SHA512", 64)])
    func `every byte of a whole HMAC counts`(_ algorithm: String, _ byteCount: Int) throws {
        let ocra = try ocra("OCRA-1:HOTP-\(algorithm)-0:QN08")
        let input = OCRA.Input(.challenge("12345678"))
        let code = try ocra.code(for: input).digits
        let bytes = try Hex.decode(code, limit: 2 * byteCount)
        #expect(bytes.count == byteCount)
        #expect(try ocra.verify(code, for: input) != nil)
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                #expect(try ocra.verify(Hex.encode(other), for: input) == nil, "bit \(bit) of byte \(index)")
            }
        }
        // Two differences that cancel each other in a sum or in an exclusive or.
        for index in 1..<byteCount {
            var other = bytes
            other[0] ^= 0x80
            other[index] ^= 0x80
            #expect(try ocra.verify(Hex.encode(other), for: input) == nil, "bytes 0 and \(index)")
        }
    }
}

@Suite struct OCRASuiteTests {
    @Test func `the parts of a suite are read`() throws {
        let suite = try OCRA.Suite("OCRA-1:HOTP-SHA512-9:C-QA10-PSHA256-S128-T48H")
        #expect(suite.algorithm == .sha512)
        #expect(suite.digits == 9)
        #expect(suite.hasCounter)
        #expect(suite.questionFormat == .alphanumeric)
        #expect(suite.questionLength == 10)
        #expect(suite.pinAlgorithm == .sha256)
        #expect(suite.sessionByteCount == 128)
        #expect(suite.timeStep == 172_800)
        #expect(suite.description == "OCRA-1:HOTP-SHA512-9:C-QA10-PSHA256-S128-T48H")
    }

    @Test func `an omitted part has its default`() throws {
        let suite = try OCRA.Suite("OCRA-1:HOTP-SHA1-0:Q-P-S-T")
        #expect(suite.digits == 0)
        #expect(!suite.hasCounter)
        #expect(suite.questionFormat == .numeric)
        #expect(suite.questionLength == 8)
        #expect(suite.pinAlgorithm == .sha1)
        #expect(suite.sessionByteCount == 64)
        #expect(suite.timeStep == 60)
    }

    @Test func `every suite of the RFC is read`() throws {
        var count = 0
        for algorithm in ["SHA1", "SHA256", "SHA512"] {
            for digits in [0, 4, 5, 6, 7, 8, 9] {
                for question in ["QN", "QA", "QH"] {
                    for length in 4...64 {
                        let number = length < 10 ? "0\(length)" : "\(length)"
                        let suite = try OCRA.Suite("OCRA-1:HOTP-\(algorithm)-\(digits):\(question)\(number)")
                        #expect(suite.questionLength == length)
                        count += 1
                    }
                }
            }
        }
        #expect(count == 3 * 7 * 3 * 61)
        for unit in [("S", 59, 1), ("M", 59, 60), ("H", 48, 3600)] {
            for step in 1...unit.1 {
                let suite = try OCRA.Suite("OCRA-1:HOTP-SHA1-6:QN08-T\(step)\(unit.0)")
                #expect(suite.timeStep == step * unit.2)
            }
        }
    }

    @Test(arguments: [
        "", "OCRA-1", "OCRA-1:HOTP-SHA1-6", "OCRA-1:HOTP-SHA1-6:", "OCRA-2:HOTP-SHA1-6:QN08",
        "ocra-1:hotp-sha1-6:qn08", "OCRA-1:HOTP-SHA1-6:QN08:", " OCRA-1:HOTP-SHA1-6:QN08",
        "OCRA-1:TOTP-SHA1-6:QN08", "OCRA-1:HOTP-SHA384-6:QN08", "OCRA-1:HOTP-SHA1:QN08", "OCRA-1:HOTP-SHA1-6-6:QN08",
        "OCRA-1:HOTP-SHA1-6:C", "OCRA-1:HOTP-SHA1-6:PSHA1", "OCRA-1:HOTP-SHA1-6:QN08-C", "OCRA-1:HOTP-SHA1-6:C-C-QN08",
        "OCRA-1:HOTP-SHA1-6:QN08-QN08", "OCRA-1:HOTP-SHA1-6:QN08-", "OCRA-1:HOTP-SHA1-6:-QN08",
        "OCRA-1:HOTP-SHA1-6:QB08", "OCRA-1:HOTP-SHA1-6:QN8", "OCRA-1:HOTP-SHA1-6:QN03", "OCRA-1:HOTP-SHA1-6:QN65",
        "OCRA-1:HOTP-SHA1-6:QN008", "OCRA-1:HOTP-SHA1-6:QN+8", "OCRA-1:HOTP-SHA1-6:QN٠٨", "OCRA-1:HOTP-SHA1-6:Qé08",
        "OCRA-1:HOTP-SHA1-6:QN08-PSHA2", "OCRA-1:HOTP-SHA1-6:QN08-PMD5", "OCRA-1:HOTP-SHA1-6:QN08-Psha1",
        "OCRA-1:HOTP-SHA1-6:QN08-S000", "OCRA-1:HOTP-SHA1-6:QN08-S513", "OCRA-1:HOTP-SHA1-6:QN08-S64",
        "OCRA-1:HOTP-SHA1-6:QN08-S0064", "OCRA-1:HOTP-SHA1-6:QN08-S-64", "OCRA-1:HOTP-SHA1-6:QN08-S064-PSHA1",
        "OCRA-1:HOTP-SHA1-6:QN08-T0S", "OCRA-1:HOTP-SHA1-6:QN08-T60S", "OCRA-1:HOTP-SHA1-6:QN08-T0M",
        "OCRA-1:HOTP-SHA1-6:QN08-T60M", "OCRA-1:HOTP-SHA1-6:QN08-T0H",  // erratum 3729
        "OCRA-1:HOTP-SHA1-6:QN08-T49H", "OCRA-1:HOTP-SHA1-6:QN08-T1D", "OCRA-1:HOTP-SHA1-6:QN08-TM",
        "OCRA-1:HOTP-SHA1-6:QN08-T01M", "OCRA-1:HOTP-SHA1-6:QN08-T1", "OCRA-1:HOTP-SHA1-6:QN08-T1M-S064",
        "OCRA-1:HOTP-SHA1-6:QN08-X", "OCRA-1:HOTP-SHA1-6:" + String(repeating: "Q", count: 60),
    ])
    func `a text that is not a suite is refused`(_ text: String) {
        let error = #expect(throws: OneTimePasswordError.self) { _ = try OCRA.Suite(text) }
        #expect(error?.code == .invalidSuite)
    }

    @Test(arguments: ["1", "2", "3", "10", "11", "06", "-6", "+6", "", "a", "100"])
    func `a number of digits that OCRA does not have is refused`(_ digits: String) {
        let error = #expect(throws: OneTimePasswordError.self) { _ = try OCRA.Suite("OCRA-1:HOTP-SHA1-\(digits):QN08") }
        #expect(error?.code == .invalidDigits || digits == "-6")
    }

    @Test func `ten digits are allowed for old tokens only`() throws {
        // The first of ten digits is 0, 1 or 2 (erratum 3730).
        let suite = try OCRA.Suite("OCRA-1:HOTP-SHA1-10:QN08", allowsTenDigits: true)
        let ocra = try OCRA(suite: suite, key: OneTimePasswordKey(copying: seed(.sha1)))
        for number in 0..<20 {
            let code = try ocra.code(for: .init(.challenge("\(number)"))).digits
            #expect(code.count == 10)
            #expect("0"..."2" ~= code.prefix(1))
        }
        #expect(throws: OneTimePasswordError.self) {
            _ = try OCRA.Suite("OCRA-1:HOTP-SHA1-11:QN08", allowsTenDigits: true)
        }
    }
}
