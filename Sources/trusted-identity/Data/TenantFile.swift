internal import Primitives

/// The file with the tenant's name, so that administration does not have to be told it.
enum TenantFile {
    static func load(_ path: String) throws(Failure) -> String? {
        guard PrivateFile.exists(path) else { return nil }
        let bytes = try PrivateFile.read(path, limit: 65)
        return bytes.withBytes { span in
            String(decoding: span.indices.map { span[$0] }.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    static func save(_ tenant: String, to path: String) throws(Failure) {
        try PrivateFile.make(path, SecretBytes(copying: (tenant + "\n").utf8))
    }
}
