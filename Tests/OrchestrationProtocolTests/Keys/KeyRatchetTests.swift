import Crypto
import OrchestrationProtocol
import Primitives
import Testing

@Suite struct KeyRatchetTests {
    private static func key(_ byte: UInt8) -> SymmetricKey {
        SymmetricKey(data: [UInt8](repeating: byte, count: 32))
    }

    private let state = key(1)
    private let device: DeviceAddress

    init() throws {
        device = DeviceAddress(
            tenant: "default", account: try AccountName(userID: "alice", domain: "master"),
            id: [UInt8](repeating: 2, count: 16))
    }

    @Test func `a state depends on the one before, on its index and on the inputs of both sides`() {
        let states = [
            next(state, 1, 2, 3), next(Self.key(9), 1, 2, 3), next(state, 2, 2, 3), next(state, 1 << 56, 2, 3),
            next(state, 1, 9, 3), next(state, 1, 2, 9), next(state, 1, 3, 2),
        ]
        #expect(Set(states.map { $0.withSpan { [UInt8]($0) } }).count == states.count)
    }

    @Test func `a tag depends on the state, the input, the message and the device`() {
        func tag(_ state: SymmetricKey, _ input: SymmetricKey?, _ message: [UInt8], id: UInt8 = 2) -> [UInt8] {
            let device = DeviceAddress(
                tenant: device.tenant, account: device.account, id: [UInt8](repeating: id, count: 16))
            return KeyRatchet.tag(of: message, input: input, state: state, device: device)
        }
        let tags = [
            tag(state, nil, [1, 2]), tag(Self.key(9), nil, [1, 2]), tag(state, Self.key(4), [1, 2]),
            tag(state, nil, [1, 3]), tag(state, nil, [1, 2], id: 3),
        ]
        #expect(Set(tags).count == tags.count)
        let part = RatchetPart(of: [1, 2], state: state, input: Self.key(4), device: device)
        #expect(part.tag == tags[2] && part.state == nil)
        #expect(part.matches(state, message: [1, 2], device: device))
        #expect(!part.matches(Self.key(9), message: [1, 2], device: device))
        #expect(!part.matches(state, message: [1, 3], device: device))
        var other = part
        other.input = nil
        #expect(!other.matches(state, message: [1, 2], device: device))
    }

    private func next(_ state: SymmetricKey, _ index: UInt64, _ input: UInt8, _ answer: UInt8) -> SymmetricKey {
        KeyRatchet.next(state, to: index, deviceInput: Self.key(input), platformInput: Self.key(answer))
    }
}
