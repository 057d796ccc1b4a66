internal import Primitives

// Configuration.
extension OrchestrationError.Code {
    /// An argument is outside its documented limits, for example a salt of fewer than 16 bytes or a name with
    /// characters that are not allowed.
    public static let invalidConfiguration = Self(
        "invalidConfiguration", .caller, "an argument is outside its documented limits")

    /// A provider was given for a method that no flow asks the user for. Flows ask for the password alone; the user
    /// does nothing for possession, and other methods fall back to the password.
    public static let providerUnused = Self(
        "providerUnused", .caller,
        "a provider was given for a method that no flow uses; give providers for the password only")
}

// The stored data of users.
extension OrchestrationError.Code {
    /// Another process or task held the user's data for longer than the waiting time. Nothing was changed; try again.
    public static let storeBusy = Self(
        "storeBusy", .environment, "another process has held the user's data for too long; try again")

    /// The stored bytes are damaged. Nothing of them is used. The way out: delete the user and activate again.
    public static let storeCorrupt = Self(
        "storeCorrupt", .environment, "the stored data is damaged; delete the user and activate again")

    /// The data was written by an earlier version of the SDK, in a form that this one does not read. The way out:
    /// delete the user and activate again.
    public static let storeOutdated = Self(
        "storeOutdated", .environment,
        "the stored data is a record of an earlier version; delete the user and activate again")

    /// The data was written by a newer version of the SDK. The way out: update the app.
    public static let storeNewerVersion = Self(
        "storeNewerVersion", .environment, "the stored data was written by a newer version; update the app")

    /// The data is intact but belongs to another device, as after a backup was restored elsewhere. The way out: delete
    /// the user here, activate this device, and revoke the other one at the platform.
    public static let storeRestoredElsewhere = Self(
        "storeRestoredElsewhere", .user,
        "the stored data belongs to another device; delete the user and activate this device")

    /// The system keeps the data locked, for example until the device is unlocked. The way out: try again then.
    public static let storeLocked = Self(
        "storeLocked", .environment, "the system keeps the stored data locked; try again when the device is unlocked")

    /// The storage cannot be read or written: no such folder, no permission, another kind of file, a full disk.
    public static let storeUnavailable = Self(
        "storeUnavailable", .environment, "the storage cannot be read or written")

    /// A value is larger than a store keeps under one name, 256 KiB.
    public static let storeTooLarge = Self(
        "storeTooLarge", .caller, "a value is larger than a store keeps under one name")

    /// The store has no such user, or the user was deleted during the call.
    public static let userUnknown = Self("userUnknown", .caller, "there is no such user on this device")

    /// The device cannot create or use a key.
    public static let deviceKeyUnavailable = Self(
        "deviceKeyUnavailable", .environment, "the device cannot create or use a key")
}

// The input of the user.
extension OrchestrationError.Code {
    /// There is nothing to read the user's input from: no terminal, or a descriptor that is not open.
    public static let inputUnavailable = Self(
        "inputUnavailable", .environment, "there is no terminal or open descriptor to read from")

    /// The input is empty where a secret is needed.
    public static let inputEmpty = Self("inputEmpty", .user, "the input is empty")

    /// The input is longer than 128 bytes.
    public static let inputTooLong = Self("inputTooLong", .user, "the input is longer than 128 bytes")
}
