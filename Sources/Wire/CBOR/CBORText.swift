/// UTF-8 as CBOR wants it: well-formed, nothing repaired.
enum CBORText {
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        string(bytes) != nil
    }

    static func string(_ bytes: ArraySlice<UInt8>) -> String? {
        String(validating: bytes, as: UTF8.self)
    }
}
