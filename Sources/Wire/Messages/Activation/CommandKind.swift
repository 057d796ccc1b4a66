/// The first member of the commands that have no channel around them yet.
package enum CommandKind: UInt64, Sendable {
    case activationRequest = 1
    case activationAnswer = 2
    case activationKeyRequest = 3
    case activationKeyAnswer = 4
    case activationRefusal = 5
}
