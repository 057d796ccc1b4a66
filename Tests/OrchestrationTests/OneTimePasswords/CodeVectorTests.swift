import Crypto
import OneTimePassword
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@testable import Orchestration

/// The published codes and activation passwords, made by an independent program (Tests/Vectors/protocol/make.py).
@Suite struct CodeVectorTests {
    struct Vector: Decodable {
        struct Code: Decodable {
            let instance, application: UInt8
            let counter: UInt64?
            let challenge: String?
            let fields: [Field]
            let code: String
            let hostCode: String
        }

        /// A text, or a label and a text.
        struct Field: Decodable {
            let field: DataField

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let value = try? container.decode(String.self) {
                    field = DataField(value: value)
                    return
                }
                let pair = try container.decode([String].self)
                try #require(pair.count == 2)
                field = DataField(label: pair[0], value: pair[1])
            }
        }

        struct Password: Decodable {
            let handle: UInt16
            let secret, text: String
        }

        struct Seal: Decodable {
            let instance: UInt8
            let counter: UInt64
            let name, text: String?
            let digest, code, hostCode: String
        }

        let deviceID, passwordInstance, otherInstance, ratchet: String
        let ratchetIndex: UInt64
        let time: Int64
        let codes: [Code]
        let seals: [Seal]
        let activationPasswords: [Password]
    }

    private func key(_ hex: String) -> SymmetricKey { SymmetricKey(data: [UInt8](hex: hex)) }

    private func record(_ vector: Vector) throws -> UserRecord {
        var record = try Sample.record()
        record.deviceID = [UInt8](hex: vector.deviceID)
        record.possessionSecret = key(vector.otherInstance)
        record.ratchet = key(vector.ratchet)
        record.ratchetIndex = vector.ratchetIndex
        return record
    }

    @Test func `each application makes the published codes and host codes with both instances`() throws {
        let vector = try Vectors.decode(Vector.self, "protocol/codes.json")
        let record = try record(vector)
        let kinds: [UInt8: CryptoApplication.Kind] = [1: .timeBased, 2: .counterBased, 3: .challenge, 4: .signature]
        #expect(vector.codes.count == 12)
        for row in vector.codes {
            let kind = try #require(kinds[row.application])
            let application = try #require(
                CryptoApplication(
                    index: row.application, kind: kind, digits: 8, timeStep: row.application == 1 ? 30 : 0,
                    hasHostCode: true))
            let fields = row.fields.map(\.field)
            let data: LocalCode.Data =
                fields.isEmpty ? row.challenge.map { .challenge($0) } ?? .nothing : .fields(fields)
            let result = try CodeMaker(record: record, application: application, data: data).make(
                secret: key(row.instance == 1 ? vector.passwordInstance : vector.otherInstance),
                method: row.instance == 1 ? .password : .possession, counter: row.counter,
                now: Timestamp(millisecondsSinceEpoch: vector.time))
            #expect(result.digits == row.code, "application \(row.application), instance \(row.instance)")
            #expect(result.hostCode == row.hostCode, "application \(row.application), instance \(row.instance)")
        }
    }

    /// The published codes of the enrolled methods.
    struct Methods: Decodable {
        struct Method: Decodable {
            struct Code: Decodable {
                let application: UInt8
                let counter: UInt64?
                let challenge: String?
                let fields: [Vector.Field]
                let code, hostCode: String
            }

            let method: UInt8
            let secret: String
            let codes: [Code]
        }

        let deviceID, ratchet, possessionInstance: String
        let time: Int64
        let methods: [Method]
    }

    @Test func `each application makes the published codes and host codes of enrolled methods`() throws {
        let vector = try Vectors.decode(Methods.self, "protocol/methods.json")
        var record = try Sample.record()
        record.deviceID = [UInt8](hex: vector.deviceID)
        record.possessionSecret = key(vector.possessionInstance)
        record.ratchet = key(vector.ratchet)
        let kinds: [UInt8: CryptoApplication.Kind] = [1: .timeBased, 2: .counterBased, 3: .challenge, 4: .signature]
        #expect(vector.methods.map(\.codes.count) == [4, 4])
        for row in vector.methods {
            let method = try #require(AuthenticationMethod(rawValue: row.method))
            for code in row.codes {
                let kind = try #require(kinds[code.application])
                let application = try #require(
                    CryptoApplication(
                        index: code.application, kind: kind, digits: 8, timeStep: code.application == 1 ? 30 : 0,
                        hasHostCode: true))
                let fields = code.fields.map(\.field)
                let data: LocalCode.Data =
                    fields.isEmpty ? code.challenge.map { .challenge($0) } ?? .nothing : .fields(fields)
                let made = try CodeMaker(record: record, application: application, data: data).make(
                    secret: key(row.secret), method: method, counter: code.counter,
                    now: Timestamp(millisecondsSinceEpoch: vector.time))
                #expect(made.digits == code.code && made.hostCode == code.hostCode, "\(method), \(code.application)")
            }
        }
    }

    @Test func `a code over data and a counter is the published one`() throws {
        let vector = try Vectors.decode(Vector.self, "protocol/codes.json")
        let record = try record(vector)
        let rows = vector.codes.filter { $0.application == 4 }
        #expect(rows.count == 6)
        let suite = try OCRA.Suite("OCRA-1:HOTP-SHA256-8:C-QH64")
        for row in rows {
            let instance = try #require(Instance(rawValue: row.instance))
            let secret = key(row.instance == 1 ? vector.passwordInstance : vector.otherInstance)
            let counter = try #require(row.counter)
            func code(counter: UInt64, fields: [DataField]) throws -> String {
                let codeKey = InstanceKeys.codeKey(
                    secret: secret, ratchet: record.ratchet, application: 4, instance: instance, device: record.address)
                let question = SignedQuestion.hash(
                    purpose: .signature, tenant: record.tenant, instance: instance, application: 4, challenge: nil,
                    counter: counter, fields: fields)
                return try OCRA(suite: suite, key: OneTimePasswordKey(codeKey))
                    .code(for: .init(.hash(question), counter: counter)).digits
            }
            let fields = row.fields.map(\.field)
            #expect(try code(counter: counter, fields: fields) == row.code)
            #expect(try code(counter: counter + 1, fields: fields) != row.code)
            #expect(try code(counter: counter, fields: fields.reversed()) != row.code)
        }
    }

    @Test func `a seal is the published one, and no signature over the same fields`() throws {
        let vector = try Vectors.decode(Vector.self, "protocol/codes.json")
        let record = try record(vector)
        let application = try #require(
            CryptoApplication(index: 4, kind: .signature, digits: 8, timeStep: 0, hasHostCode: true))
        #expect(vector.seals.count == 4)
        for row in vector.seals {
            let content =
                try row.text.map { try SealContent(text: $0) }
                ?? SealContent(name: row.name, digest: [UInt8](hex: row.digest))
            #expect(content.hexDigest == row.digest)
            func make(_ data: LocalCode.Data) throws -> LocalCode {
                try CodeMaker(record: record, application: application, data: data).make(
                    secret: key(row.instance == 1 ? vector.passwordInstance : vector.otherInstance),
                    method: row.instance == 1 ? .password : .possession, counter: row.counter,
                    now: Timestamp(millisecondsSinceEpoch: vector.time))
            }
            let made = try make(.seal(content))
            #expect(made.digits == row.code && made.hostCode == row.hostCode && made.counter == row.counter)
            #expect(try make(.fields(content.signedFields)).digits != row.code)
        }
    }

    @Test func `an activation password has the published handle, secret and check character`() throws {
        let vector = try Vectors.decode(Vector.self, "protocol/codes.json")
        #expect(vector.activationPasswords.count == 4)
        for row in vector.activationPasswords {
            let parsed = try ActivationPassword(parsing: row.text)
            #expect(parsed.handle == row.handle)
            #expect(parsed.secret.withBytes { span in span.indices.map { span[$0] } } == Array(row.secret.utf8))
            let secret = SecretBytes(copying: Array(row.secret.utf8))
            let made = ActivationPassword(handle: row.handle, secret: secret)?.formatted()
            #expect(made?.withBytes { span in span.indices.map { span[$0] } } == Array(row.text.utf8))
            let wrong = row.text.dropLast() + (row.text.last == "0" ? "1" : "0")
            let error = #expect(throws: ActivationPasswordError.self) { _ = try ActivationPassword(parsing: wrong) }
            #expect(error?.code == .wrongCheckCharacter)
        }
    }
}
