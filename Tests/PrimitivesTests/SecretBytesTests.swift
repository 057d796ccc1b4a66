import Primitives
import Testing

@Suite struct SecretBytesTests {
    @Test func `a secret gives back the bytes it was made from`() {
        let secret = SecretBytes(copying: [1, 2, 3])
        let sum = secret.withBytes { span in span.indices.reduce(0) { $0 + Int(span[$1]) } }
        #expect(sum == 6)
    }
}
