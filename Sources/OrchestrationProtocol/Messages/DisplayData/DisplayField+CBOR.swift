internal import Primitives

// A field on the wire: an array of the type and its value; a free field has a label before the value.
extension DisplayField {
    /// Decodes one field.
    ///
    /// - Parameter start: The offset of the field, for errors.
    init(decoding item: [UInt8], at start: Int) throws(WireError) {
        do throws(WireError) {
            self = try DisplayField(decoding: item)
        } catch {
            throw WireError(error.code, offset: start + (error.offset ?? 0))
        }
    }

    private init(decoding item: [UInt8]) throws(WireError) {
        var reader = CBORReader(item)
        let count = try reader.readArray()
        guard count > 0 else { throw WireError(.unexpectedCount, offset: 0) }
        let type = try reader.readNumber()
        guard type <= 9 else {
            self = .unknown(UnknownDisplayField(type: type, rest: &reader, count: count - 1, encoded: item))
            return
        }
        guard count == (type == 1 ? 3 : 2) else { throw WireError(.unexpectedCount, offset: 0) }
        let start = reader.offset
        switch type {
        case 1: self = .field(label: try reader.readDisplayText(), value: try reader.readDisplayText())
        case 7: self = .time(try reader.readTime())
        default: self = try DisplayField(type: type, text: reader.readDisplayText(), at: start)
        }
        try reader.finish()
    }

    /// Creates a field whose value is one text.
    private init(type: UInt64, text: String, at start: Int) throws(WireError) {
        do throws(PaymentDataError) {
            switch type {
            case 2: self = .amount(try Amount(text))
            case 3: self = .currency(try Currency(text))
            case 4: self = .creditor(text)
            case 5: self = .creditorAccount(try IBAN(text))
            case 6: self = .remittance(text)
            case 8: self = .requester(text)
            case 9: self = .place(text)
            default: self = .text(text)
            }
        } catch {
            throw WireError(.invalidValue, offset: start)
        }
    }

    func write(to output: inout some CBOROutput) {
        switch self {
        case .text(let text), .creditor(let text), .remittance(let text), .requester(let text), .place(let text):
            write(text, to: &output)
        case .amount(let amount): write(amount.text, to: &output)
        case .currency(let currency): write(currency.code, to: &output)
        case .creditorAccount(let account): write(account.text, to: &output)
        case .field(let label, let value):
            output.array(3)
            output.unsigned(type)
            output.text(label)
            output.text(value)
        case .time(let time):
            output.array(2)
            output.unsigned(type)
            output.time(time)
        case .unknown(let field): output.encoded(field.encoded)
        }
    }

    private func write(_ text: String, to output: inout some CBOROutput) {
        output.array(2)
        output.unsigned(type)
        output.text(text)
    }
}

extension UnknownDisplayField {
    /// Reads the members after the type: a text, or a label and a text. Anything else is kept but cannot be shown.
    fileprivate init(type: UInt64, rest reader: inout CBORReader, count: Int, encoded: [UInt8]) {
        var texts: [String] = []
        for _ in 0..<count {
            guard texts.count < 2, let text = try? reader.readDisplayText(),
                DisplayText.problem(of: text, characters: 0...1_024) == nil
            else { break }
            texts.append(text)
        }
        let isShown = type >= Self.firstShownType && !texts.isEmpty && texts.count == count
        self.type = type
        label = isShown && texts.count == 2 ? texts[0] : nil
        value = isShown ? texts[texts.count - 1] : nil
        self.encoded = encoded
    }

    /// Fields of types from this number on are shown even by a version that does not know them.
    private static let firstShownType: UInt64 = 64
}

extension CBORReader {
    fileprivate mutating func readDisplayText() throws(WireError) -> String {
        try readText(maximumBytes: FieldLimit.displayBytes)
    }
}
