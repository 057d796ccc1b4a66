import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@Suite struct InstanceKeysTests {
    private let device = [UInt8](repeating: 4, count: 16)

    private func address(_ tenant: String, _ id: [UInt8]) -> DeviceAddress {
        guard let account = try? AccountName(userID: "alice", domain: "master") else {
            preconditionFailure("a plain name")
        }
        return DeviceAddress(tenant: tenant, account: account, id: id)
    }

    private func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: [UInt8](repeating: byte, count: 32)) }

    @Test func `a proof verifies for its own inputs only`() {
        func proof(
            _ message: [UInt8] = [9], secret: UInt8 = 1, ratchet: UInt8 = 2, instance: Instance = .password,
            method: UInt8 = 1, generation: UInt64 = 0, tenant: String = "t", device: [UInt8]? = nil
        ) -> [UInt8] {
            InstanceKeys.proof(
                of: message, secret: key(secret), ratchet: key(ratchet), instance: instance, method: method,
                generation: generation, device: address(tenant, device ?? self.device))
        }
        let right = proof()
        var variants = [right, proof([9, 0]), proof(secret: 2), proof(ratchet: 3), proof(secret: 2, ratchet: 1)]
        variants += [proof(instance: .possession), proof(method: 2), proof(generation: 1), proof(tenant: "u")]
        variants.append(proof(device: [UInt8](repeating: 5, count: 16)))
        #expect(Set(variants).count == variants.count)

        func verify(_ tag: [UInt8]) -> Bool {
            InstanceKeys.verifyProof(
                tag, of: [9], secret: key(1), ratchet: key(2), instance: .password, method: 1, generation: 0,
                device: address("t", device))
        }
        #expect(verify(right))
        for wrong in right.bitFlips { #expect(!verify(wrong)) }
        for wrong in right.truncations { #expect(!verify(wrong)) }
        #expect(!verify(right + [0]))
        for wrong in variants.dropFirst() { #expect(!verify(wrong)) }
    }

    @Test func `each application, instance, device and use has its own key`() {
        var keys: Set<[UInt8]> = []
        var count = 0
        for make in [InstanceKeys.codeKey, InstanceKeys.hostCodeKey] {
            for (secret, ratchet) in [(1, 2), (2, 1), (1, 3)] as [(UInt8, UInt8)] {
                for application in 1...8 as ClosedRange<UInt8> {
                    for instance in Instance.allCases {
                        for device in [device, [UInt8](repeating: 5, count: 16)] {
                            let made = make(key(secret), key(ratchet), application, instance, address("t", device))
                            keys.insert(made.withSpan { [UInt8]($0) })
                            count += 1
                        }
                    }
                }
            }
        }
        #expect(count == 384 && keys.count == count)
    }

    @Test func `a question depends on each of its inputs`() {
        func hash(
            _ purpose: SignedQuestion.Purpose = .signature, tenant: String = "t", instance: Instance = .password,
            application: UInt8 = 4, challenge: String? = nil, counter: UInt64? = nil, fields: [DataField] = []
        ) -> [UInt8] {
            SignedQuestion.hash(
                purpose: purpose, tenant: tenant, instance: instance, application: application, challenge: challenge,
                counter: counter, fields: fields)
        }
        var hashes = [
            hash(), hash(.host), hash(.seal), hash(.challenge), hash(tenant: "u"), hash(instance: .possession),
            hash(application: 3),
        ]
        hashes += [hash(challenge: ""), hash(challenge: "1"), hash(counter: 0), hash(counter: 1)]
        let (a, b) = (DataField(value: "a"), DataField(value: "b"))
        hashes += [hash(fields: [DataField(value: "")]), hash(fields: [DataField(value: "ab")])]
        hashes += [hash(fields: [a, b]), hash(fields: [b, a])]
        // A label is signed, and is not a value before another one.
        hashes += [
            hash(fields: [DataField(label: "a", value: "b")]), hash(fields: [DataField(label: "b", value: "a")]),
        ]
        hashes += [hash(fields: [DataField(label: "", value: "a")]), hash(fields: [a])]
        // RFC 6287's own numeric question gives one code for these three.
        hashes += [hash(challenge: "100"), hash(challenge: "1600"), hash(challenge: "25600")]
        #expect(Set(hashes).count == hashes.count)
        #expect(hashes.allSatisfy { $0.count == 32 })
    }
}
