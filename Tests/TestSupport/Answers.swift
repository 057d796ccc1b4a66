package import OrchestrationProtocol
internal import Primitives

extension AnswerBody {
    /// Returns the answer of a platform with the default settings to the only device of an account.
    ///
    /// - Parameters:
    ///   - generation: The generation that the platform has.
    ///   - capabilities: The agreed ones.
    ///   - tries: The number of wrong passwords that lock the device.
    package static func synchronize(
        generation: UInt64, capabilities: [UInt64] = [], tries: UInt64 = 5
    ) -> AnswerBody {
        .synchronize(
            SynchronizeMessage.Answer(
                generation: generation, capabilities: capabilities, policy: PINPolicyForm(.default), tries: tries,
                devices: 1, maximumDevices: 5, notices: []))
    }
}
