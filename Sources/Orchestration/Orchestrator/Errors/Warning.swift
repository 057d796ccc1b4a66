public import OrchestrationProtocol

/// A fact that the app or the user should know about. It does not stop a flow.
///
/// Two warnings are equal when their codes are. ``PromptCatalog/text(for:)-(Warning)`` returns the text for the user.
public struct Warning: Sendable {
    /// The kind of warning.
    public let code: Code

    /// A constant English sentence for logs. It never holds a secret or a name.
    public var message: String { code.message }

    /// The error that caused the warning, if any.
    public let cause: OrchestrationError?

    init(_ code: Code, cause: OrchestrationError? = nil) {
        self.code = code
        self.cause = cause
    }
}

extension Warning: Hashable {
    /// Returns whether both warnings have the same code.
    public static func == (a: Warning, b: Warning) -> Bool { a.code == b.code }

    /// Hashes the code alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Warning: CustomStringConvertible {
    /// The code and the message, safe to log and to show.
    public var description: String { "\(code): \(message)" }
}

extension Warning {
    /// A kind of warning. Later versions may add codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Sendable, Hashable {
            case fellBackToPassword, notSynchronized, platformNotInformed, notificationsPending, failedCodes(Int)
            case failedPasswords(Int)
            case clockUncertain, softwareKeys, passwordNotConfirmed, methodRemovalNotConfirmed, methodKeysLeft
            case deviceDataMissing(DeviceDataGroup), deviceDataPermissionMissing(DeviceDataGroup)
            case deviceDataFieldLeftOut(DeviceDataField), deviceDataNotSent
            case livenessFailed, renewEnrolledMethods
        }

        private let kind: Kind

        /// The requested method is not available on this device, or it failed. The password is asked for instead.
        public static var fellBackToPassword: Code { Code(kind: .fellBackToPassword) }

        /// The one-time password is ready, but the exchange that moves the key ratchet had no answer in time or was
        /// refused; ``Warning/cause`` contains the reason. The ratchet moves at the next contact.
        public static var notSynchronized: Code { Code(kind: .notSynchronized) }

        /// The user was deleted on this device, but the platform could not be informed. Revoke the device there.
        public static var platformNotInformed: Code { Code(kind: .platformNotInformed) }

        /// The account stays in `pendingNotification` until a notification identifier is registered.
        public static var notificationsPending: Code { Code(kind: .notificationsPending) }

        /// Codes for this user were typed and refused since the last contact. Show this to the user, because another
        /// person may be trying to log in.
        ///
        /// - Parameter count: The number of codes.
        public static func failedCodes(_ count: Int) -> Code { Code(kind: .failedCodes(count)) }

        /// Wrong passwords were entered on this device, or on a copy of its data, since the last right password. Show
        /// this to the user, because another person may have entered them.
        ///
        /// - Parameter count: The number of wrong passwords.
        public static func failedPasswords(_ count: Int) -> Code { Code(kind: .failedPasswords(count)) }

        /// The platform's clock seems to differ by more than a minute from the known difference. Codes use the known
        /// difference until a second answer confirms the new one.
        public static var clockUncertain: Code { Code(kind: .clockUncertain) }

        /// Device keys are kept in software although this device has a Secure Enclave. Use `KeychainStore`, or give
        /// `SecureEnclaveDeviceKeys` to the orchestrator. As the event of an activation: the preferred provider of
        /// ``PreferredDeviceKeys`` could not create a key; ``Warning/cause`` contains the reason.
        public static var softwareKeys: Code { Code(kind: .softwareKeys) }

        /// The new password is stored on this device and is valid, but the platform did not answer its proof;
        /// ``Warning/cause`` contains the reason. The next use of the new password confirms it.
        public static var passwordNotConfirmed: Code { Code(kind: .passwordNotConfirmed) }

        /// A method was removed on this device, but the platform could not be informed; ``Warning/cause`` contains the
        /// reason. The keys of the method are on no device. Remove it again to inform the platform.
        public static var methodRemovalNotConfirmed: Code { Code(kind: .methodRemovalNotConfirmed) }

        /// The user was deleted on this device, but a provider could not delete the keys of an enrolled method;
        /// ``Warning/cause`` contains the reason. The keys cannot be used, because no record names them. After another
        /// activation of the user, the removal of the method deletes them.
        public static var methodKeysLeft: Code { Code(kind: .methodKeysLeft) }

        /// The password was changed, and the user has enrolled methods on this device. They stay valid, and a person
        /// who knew the previous password may have enrolled one. Enroll them again if the previous password may be
        /// known: the new keys replace the previous ones.
        public static var renewEnrolledMethods: Code { Code(kind: .renewEnrolledMethods) }

        /// A group of device data was left out: its source failed, was too late or does not exist. ``Warning/cause``
        /// contains the error of a source that failed.
        public static func deviceDataMissing(_ group: DeviceDataGroup) -> Code { Code(kind: .deviceDataMissing(group)) }

        /// A group of device data was left out, because the user has not given permission.
        public static func deviceDataPermissionMissing(_ group: DeviceDataGroup) -> Code {
            Code(kind: .deviceDataPermissionMissing(group))
        }

        /// A field of the device data was left out: its value has a wrong form, or it does not fit into 64 fields and 4
        /// KiB.
        public static func deviceDataFieldLeftOut(_ field: DeviceDataField) -> Code {
            Code(kind: .deviceDataFieldLeftOut(field))
        }

        /// The device data was not sent, because it could not be entered in the ledger, or the platform has refused it.
        /// The message itself was sent.
        public static var deviceDataNotSent: Code { Code(kind: .deviceDataNotSent) }

        /// The provider of an enrolled method found no living person. In an approval or a code the password is asked
        /// for instead, and an enrollment ends.
        public static var livenessFailed: Code { Code(kind: .livenessFailed) }

        /// The name of the code, for example `failedCodes(2)`.
        public var description: String {
            switch kind {
            case .deviceDataMissing(let group): "deviceDataMissing(\(group))"
            case .deviceDataPermissionMissing(let group): "deviceDataPermissionMissing(\(group))"
            case .deviceDataFieldLeftOut(let field): "deviceDataFieldLeftOut(\(field.name))"
            case .fellBackToPassword, .notSynchronized, .platformNotInformed, .notificationsPending, .failedCodes,
                .failedPasswords, .clockUncertain, .softwareKeys, .passwordNotConfirmed, .methodRemovalNotConfirmed,
                .methodKeysLeft, .renewEnrolledMethods,
                .livenessFailed, .deviceDataNotSent:
                "\(kind)"
            }
        }

        /// Whether the code is about the collection of device data.
        var isOfCollection: Bool {
            switch kind {
            case .deviceDataMissing, .deviceDataPermissionMissing: true
            default: false
            }
        }

        /// Every code, with a sample where it has a value.
        package static let all: [Code] = [
            fellBackToPassword, notSynchronized, platformNotInformed, notificationsPending, failedCodes(2),
            failedPasswords(2),
            clockUncertain, softwareKeys, passwordNotConfirmed, methodRemovalNotConfirmed, deviceDataMissing(.app),
            deviceDataPermissionMissing(.wifi), deviceDataFieldLeftOut(.system), deviceDataNotSent,
            livenessFailed, methodKeysLeft, renewEnrolledMethods,
        ]

        /// The text for the user. ``PromptCatalog`` returns it in the words of the app.
        package var textKey: PromptText {
            switch kind {
            case .fellBackToPassword: .fellBackToPassword
            case .notSynchronized: .notSynchronized
            case .platformNotInformed: .platformNotInformed
            case .notificationsPending: .notificationsPending
            case .failedCodes: .failedCodes
            case .failedPasswords: .failedPasswords
            case .clockUncertain: .clockUncertain
            case .softwareKeys: .softwareKeys
            case .passwordNotConfirmed: .passwordNotConfirmed
            case .methodRemovalNotConfirmed: .methodRemovalNotConfirmed
            case .methodKeysLeft: .methodKeysLeft
            case .renewEnrolledMethods: .renewEnrolledMethods
            case .deviceDataMissing: .deviceDataMissing
            case .deviceDataPermissionMissing: .deviceDataPermissionMissing
            case .deviceDataFieldLeftOut: .deviceDataFieldLeftOut
            case .deviceDataNotSent: .deviceDataNotSent
            case .livenessFailed: .livenessFailed
            }
        }

        /// The number of ``failedCodes(_:)`` and ``failedPasswords(_:)``.
        var count: Int? {
            switch kind {
            case .failedCodes(let count), .failedPasswords(let count): count
            default: nil
            }
        }

        fileprivate var message: String {
            switch kind {
            case .fellBackToPassword: "the requested method is not available; the password was asked for instead"
            case .notSynchronized: "the device was not synchronized; it synchronizes at the next contact"
            case .platformNotInformed:
                "the user was deleted here, but the platform could not be informed; revoke the device there"
            case .notificationsPending: "the activation is complete when notifications are registered"
            case .failedCodes: "codes of this user were refused since the last contact"
            case .failedPasswords: "wrong passwords of this device were refused since the right one before"
            case .clockUncertain: "the clocks of device and platform differ; a second answer must confirm it"
            case .passwordNotConfirmed:
                "the password was changed on this device; the platform confirms it at its next use"
            case .methodRemovalNotConfirmed:
                "the method was removed on this device, but the platform could not be informed"
            case .methodKeysLeft:
                "the user was deleted, but a provider could not delete the keys of an enrolled method"
            case .renewEnrolledMethods:
                "the enrolled methods of this device stay valid after the change of the password; enroll them again if "
                    + "another person may know the previous password"
            case .livenessFailed: "the check of the method found no living person"
            case .softwareKeys: "device keys are kept in software although this device has a Secure Enclave"
            case .deviceDataMissing: "a group of device data could not be collected, and was left out"
            case .deviceDataPermissionMissing: "a group of device data was left out, because its permission is missing"
            case .deviceDataFieldLeftOut: "a field of the device data is outside its limits, and was left out"
            case .deviceDataNotSent: "the device data were not sent; the message itself was sent"
            }
        }
    }
}
