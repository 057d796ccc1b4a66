/// The tenant, account and device id that name one activation.
package struct DeviceAddress: Sendable, Hashable {
    /// The tenant, 1 to 64 printable ASCII characters.
    package let tenant: String

    /// The account in its only spelling.
    package let account: AccountName

    /// The device id, 16 bytes.
    package let id: [UInt8]

    package init(tenant: String, account: AccountName, id: [UInt8]) {
        self.tenant = tenant
        self.account = account
        self.id = id
    }
}

/// The keys of one method on one device. The raw value is its number in commands and stores.
///
/// An activation creates the first two. The others exist after the enrollment of their method.
public enum Instance: UInt8, Sendable, Hashable, CaseIterable, Codable {
    /// The instance of the password, with the secret K₁.
    case password = 1
    /// The instance of possession, with the secret K₂n.
    case possession = 2
    /// The instance of the biometric check of the operating system, with the secret K₂b.
    case biometric = 3
    /// The instance of the face, with the secret K₂f.
    case face = 4

    /// The instance whose secret proves a method.
    package init(of method: AuthenticationMethod) {
        switch method {
        case .possession: self = .possession
        case .password: self = .password
        case .biometric: self = .biometric
        case .face: self = .face
        }
    }

    /// The method that a code or proof of the instance verifies.
    package var method: AuthenticationMethod {
        switch self {
        case .password: .password
        case .possession: .possession
        case .biometric: .biometric
        case .face: .face
        }
    }
}

/// The reason why a device is locked, at the platform or in the store of the device. Stores keep the raw values.
@nonexhaustive
public enum LockReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// Too many wrong passwords in a row, each with a valid device signature.
    case wrongPassword
    /// The platform saw the state of the device in two places: the store was copied or restored.
    case cloneSuspected
    /// The platform has revoked the device. Only the store of the device contains this reason.
    case revoked
}
