internal import Primitives

extension DeviceRecord {
    /// The instances that the device has, by ascending number.
    var instances: [Instance] { [.password, .possession] + enrolledMethods.map { Instance(of: $0.method) } }

    /// Returns the registration of a method; `nil` if there is none, and for a device that has not synchronized since a
    /// restore: its user may have removed the method since the backup.
    func enrolled(_ method: AuthenticationMethod) -> EnrolledMethod? {
        isRestored ? nil : enrolledMethods.first { $0.method == method }
    }

    /// Returns the method that a proof or a code of an instance verifies.
    ///
    /// - Parameter acceptsSoftware: Whether the policy names software providers.
    func verifiedMethod(of instance: Instance, acceptsSoftware: Bool) -> AuthenticationMethod {
        guard instance.method.isEnrollable else { return instance.method }
        // Without a registration, or with a registration of a software provider, no person was checked. Only the
        // presence of the device is proven.
        guard let enrolled = enrolled(instance.method), enrolled.protection != .software || acceptsSoftware
        else { return .possession }
        return instance.method
    }

    /// Replaces the registration of a method. ``DeviceKeys/sealSecrets(of:registered:offered:sealer:)`` seals
    /// its secret.
    mutating func enroll(_ registration: EnrolledMethod) {
        removeMethod(registration.method)
        enrolledMethods.append(registration)
        enrolledMethods.sort { $0.method.rawValue < $1.method.rawValue }
    }

    /// Ends the registration of a method.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    mutating func removeMethod(_ method: AuthenticationMethod) -> Bool {
        let count = enrolledMethods.count
        enrolledMethods.removeAll { $0.method == method }
        return enrolledMethods.count != count
    }

    /// Returns the row without a method, with the other secrets sealed again; `nil` if the device has not registered
    /// the method.
    ///
    /// - Throws: ``PlatformError`` with `wrongMasterKey`.
    func withoutMethod(_ method: AuthenticationMethod, sealer: RowSealer) throws -> DeviceRecord? {
        var row = self
        guard row.removeMethod(method) else { return nil }
        try DeviceKeys(of: self, sealer: sealer)?.sealSecrets(of: &row, sealer: sealer)
        return row
    }
}
