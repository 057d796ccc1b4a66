internal import GRDB
internal import Primitives
internal import TrustedIdentity

/// The columns of a row, read from left to right. What does not fit is an error, never a trap: the file may be damaged.
struct Columns {
    private let row: Row
    private var position = 0

    init(_ row: Row) {
        self.row = row
    }

    private mutating func next() throws -> Value? {
        guard position < row.count else { throw Self.damaged }
        let value: DatabaseValue = row[position]
        position += 1
        guard !value.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(value) else { throw Self.damaged }
        return value
    }

    mutating func integerIfAny() throws -> Int64? {
        guard let value = try next() else { return nil }
        guard case .integer(let number) = value else { throw Self.damaged }
        return number
    }

    mutating func textIfAny() throws -> String? {
        guard let value = try next() else { return nil }
        guard case .text(let text) = value else { throw Self.damaged }
        return text
    }

    mutating func bytesIfAny() throws -> [UInt8]? {
        guard let value = try next() else { return nil }
        guard case .bytes(let bytes) = value else { throw Self.damaged }
        return bytes
    }

    mutating func sealedIfAny() throws -> SealedValue? {
        guard let bytes = try bytesIfAny() else { return nil }
        return try Self.require(SealedValue(packed: bytes))
    }

    mutating func timeIfAny() throws -> Timestamp? {
        try integerIfAny().map { Timestamp(millisecondsSinceEpoch: $0) }
    }

    mutating func wordIfAny<Word: RawRepresentable<String>>(_: Word.Type = Word.self) throws -> Word? {
        guard let text = try textIfAny() else { return nil }
        return try Self.require(Word(rawValue: text))
    }

    mutating func instance() throws -> Instance { try Self.require(Instance(rawValue: number())) }
    mutating func integer() throws -> Int64 { try Self.require(integerIfAny()) }
    mutating func text() throws -> String { try Self.require(textIfAny()) }
    mutating func bytes() throws -> [UInt8] { try Self.require(bytesIfAny()) }
    mutating func sealed() throws -> SealedValue { try Self.require(sealedIfAny()) }
    mutating func time() throws -> Timestamp { try Self.require(timeIfAny()) }
    mutating func word<Word: RawRepresentable<String>>(_: Word.Type = Word.self) throws -> Word {
        try Self.require(wordIfAny())
    }

    /// A number of any width, when it fits.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws -> Number {
        try Self.require(Number(exactly: integer()))
    }

    private static var damaged: SQLiteStoreError {
        SQLiteStoreError(.corrupt, "a row of the database does not fit the schema")
    }

    private static func require<T>(_ value: T?) throws -> T {
        guard let value else { throw damaged }
        return value
    }
}
