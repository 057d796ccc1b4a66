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
        private let name: String

        /// The text for the user. ``PromptCatalog`` returns it in the words of the app.
        package let text: PromptText

        /// A constant English sentence for logs.
        fileprivate let message: String

        /// The number of ``failedCodes(_:)`` and ``failedPasswords(_:)``.
        let count: Int?

        private init(_ name: String, _ text: PromptText, _ message: String, count: Int? = nil) {
            self.name = name
            self.text = text
            self.message = message
            self.count = count
        }

        /// The name of the code, for example `failedCodes(2)`.
        public var description: String { count.map { "\(name)(\($0))" } ?? name }

        /// Whether the code is about the collection of device data.
        var isOfCollection: Bool { [.deviceDataMissing, .deviceDataPermissionMissing].contains(text) }

        /// Returns whether both codes have the same name and number.
        public static func == (a: Code, b: Code) -> Bool { (a.name, a.count) == (b.name, b.count) }

        /// Hashes the name and the number alone.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(count)
        }
    }
}

extension Warning.Code {
    /// The requested method is not available on this device, or it failed. The password is asked for instead.
    public static let fellBackToPassword = Self(
        "fellBackToPassword", .fellBackToPassword,
        "the requested method is not available; the password was asked for instead")

    /// The one-time password is ready, but the exchange that moves the key ratchet had no answer in time or was
    /// refused; ``Warning/cause`` contains the reason. The ratchet moves at the next contact.
    public static let notSynchronized = Self(
        "notSynchronized", .notSynchronized, "the device was not synchronized; it synchronizes at the next contact")

    /// The user was deleted on this device, but the platform could not be informed. Revoke the device there.
    public static let platformNotInformed = Self(
        "platformNotInformed", .platformNotInformed,
        "the user was deleted here, but the platform could not be informed; revoke the device there")

    /// The account stays in `pendingNotification` until a notification identifier is registered.
    public static let notificationsPending = Self(
        "notificationsPending", .notificationsPending, "the activation is complete when notifications are registered")

    /// Codes for this user were typed and refused since the last contact. Show this to the user, because another
    /// person may be trying to log in.
    ///
    /// - Parameter count: The number of codes.
    public static func failedCodes(_ count: Int) -> Self {
        Self("failedCodes", .failedCodes, "codes of this user were refused since the last contact", count: count)
    }

    /// Wrong passwords were entered on this device, or on a copy of its data, since the last right password. Show
    /// this to the user, because another person may have entered them.
    ///
    /// - Parameter count: The number of wrong passwords.
    public static func failedPasswords(_ count: Int) -> Self {
        Self(
            "failedPasswords", .failedPasswords,
            "wrong passwords of this device were refused since the right one before", count: count)
    }

    /// The platform's clock seems to differ by more than a minute from the known difference. Codes use the known
    /// difference until a second answer confirms the new one.
    public static let clockUncertain = Self(
        "clockUncertain", .clockUncertain, "the clocks of device and platform differ; a second answer must confirm it")

    /// Device keys are kept in software although this device has a Secure Enclave. Use `KeychainStore`, or give
    /// `SecureEnclaveDeviceKeys` to the orchestrator. As the event of an activation: the preferred provider of
    /// ``PreferredDeviceKeys`` could not create a key; ``Warning/cause`` contains the reason.
    public static let softwareKeys = Self(
        "softwareKeys", .softwareKeys, "device keys are kept in software although this device has a Secure Enclave")

    /// The new password is stored on this device and is valid, but the platform did not answer its proof;
    /// ``Warning/cause`` contains the reason. The next use of the new password confirms it.
    public static let passwordNotConfirmed = Self(
        "passwordNotConfirmed", .passwordNotConfirmed,
        "the password was changed on this device; the platform confirms it at its next use")

    /// A method was removed on this device, but the platform could not be informed; ``Warning/cause`` contains the
    /// reason. The keys of the method are on no device. Remove it again to inform the platform.
    public static let methodRemovalNotConfirmed = Self(
        "methodRemovalNotConfirmed", .methodRemovalNotConfirmed,
        "the method was removed on this device, but the platform could not be informed")

    /// The user was deleted on this device, but a provider could not delete the keys of an enrolled method;
    /// ``Warning/cause`` contains the reason. The keys cannot be used, because no record names them. After another
    /// activation of the user, the removal of the method deletes them.
    public static let methodKeysLeft = Self(
        "methodKeysLeft", .methodKeysLeft,
        "the user was deleted, but a provider could not delete the keys of an enrolled method")

    /// The password was changed, and the user has enrolled methods on this device. They stay valid, and a person
    /// who knew the previous password may have enrolled one. Enroll them again if the previous password may be
    /// known: the new keys replace the previous ones.
    public static let renewEnrolledMethods = Self(
        "renewEnrolledMethods", .renewEnrolledMethods,
        "the enrolled methods of this device stay valid after the change of the password; enroll them again if "
            + "another person may know the previous password")

    /// A group of device data was left out: its source failed, was too late or does not exist. ``Warning/cause``
    /// contains the error of a source that failed.
    public static func deviceDataMissing(_ group: DeviceDataGroup) -> Self {
        Self(
            "deviceDataMissing(\(group))", .deviceDataMissing,
            "a group of device data could not be collected, and was left out")
    }

    /// A group of device data was left out, because the user has not given permission.
    public static func deviceDataPermissionMissing(_ group: DeviceDataGroup) -> Self {
        Self(
            "deviceDataPermissionMissing(\(group))", .deviceDataPermissionMissing,
            "a group of device data was left out, because its permission is missing")
    }

    /// A field of the device data was left out: its value has a wrong form, or it does not fit into 64 fields and 4
    /// KiB.
    public static func deviceDataFieldLeftOut(_ field: DeviceDataField) -> Self {
        Self(
            "deviceDataFieldLeftOut(\(field.name))", .deviceDataFieldLeftOut,
            "a field of the device data is outside its limits, and was left out")
    }

    /// The device data was not sent, because it could not be entered in the ledger, or the platform has refused it.
    /// The message itself was sent.
    public static let deviceDataNotSent = Self(
        "deviceDataNotSent", .deviceDataNotSent, "the device data were not sent; the message itself was sent")

    /// The provider of an enrolled method found no living person. In an approval or a code the password is asked
    /// for instead, and an enrollment ends.
    public static let livenessFailed = Self(
        "livenessFailed", .livenessFailed, "the check of the method found no living person")

    /// Every code, with a sample where it has a value.
    package static let all: [Self] = [
        fellBackToPassword, notSynchronized, platformNotInformed, notificationsPending, failedCodes(2),
        failedPasswords(2),
        clockUncertain, softwareKeys, passwordNotConfirmed, methodRemovalNotConfirmed, deviceDataMissing(.app),
        deviceDataPermissionMissing(.wifi), deviceDataFieldLeftOut(.system), deviceDataNotSent,
        livenessFailed, methodKeysLeft, renewEnrolledMethods,
    ]
}
