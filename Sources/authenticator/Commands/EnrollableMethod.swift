import ArgumentParser
import Orchestration

/// A method that a user enrolls.
enum EnrollableMethod: String, ExpressibleByArgument, CaseIterable {
    case biometric, face

    var method: AuthenticationMethod {
        switch self {
        case .biometric: .biometric
        case .face: .face
        }
    }
}
