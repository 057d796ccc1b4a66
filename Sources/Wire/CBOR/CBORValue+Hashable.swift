// Equality is that of the encodings. Swift calls two texts equal when they are canonically equivalent in Unicode; to CBOR
// they are different keys, and a dictionary that took them for one would lose a pair.
extension CBORValue: Hashable {
    package static func == (a: CBORValue, b: CBORValue) -> Bool {
        switch (a, b) {
        case (.unsigned(let a), .unsigned(let b)), (.negative(let a), .negative(let b)): a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.map(let a), .map(let b)): a == b
        case (.tagged(let a, let x), .tagged(let b, let y)): a == b && x == y
        case (.boolean(let a), .boolean(let b)): a == b
        case (.null, .null): true
        case (.unsigned, _), (.negative, _), (.bytes, _), (.text, _), (.array, _), (.map, _), (.tagged, _),
            (.boolean, _), (.null, _):
            false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .unsigned(let value): hash(.unsigned, value, into: &hasher)
        case .negative(let magnitude): hash(.negative, magnitude, into: &hasher)
        case .bytes(let bytes): hash(.bytes, bytes, into: &hasher)
        case .text(let text): hash(.text, Array(text.utf8), into: &hasher)
        case .array(let items): hash(.array, items, into: &hasher)
        case .map(let pairs): hash(.map, pairs, into: &hasher)
        case .tagged(let number, let item):
            hash(.tag, number, into: &hasher)
            hasher.combine(item)
        case .boolean(let value): hash(.simple, value, into: &hasher)
        case .null: hash(.simple, CBORSimpleValue.null, into: &hasher)
        }
    }

    private func hash(_ type: CBORMajorType, _ content: some Hashable, into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(content)
    }
}
