internal import Primitives

extension OrchestrationError.Code {
    /// Another process or task held the user's data for longer than the waiting time. Nothing was changed; try again.
    public static let storeBusy = Self(
        "storeBusy", .environment, "another process holds the user's data for too long")

    /// The stored bytes are damaged. Nothing of them is used. The way out: delete the user and activate again.
    public static let storeCorrupt = Self(
        "storeCorrupt", .environment, "the stored data is damaged; delete the user and activate again")

    /// The data was written by a newer version of the SDK. The way out: update the app.
    public static let storeNewerVersion = Self(
        "storeNewerVersion", .environment, "the stored data was written by a newer version; update the app")

    /// The data is intact but belongs to another device, as after a backup was restored elsewhere. The way out: delete
    /// the user here and activate this device; the platform revokes the old one when told.
    public static let storeRestoredElsewhere = Self(
        "storeRestoredElsewhere", .user, "the stored data belongs to another device; activate this one")

    /// The system keeps the data locked for now, for example until the device is unlocked. The way out: try again then.
    public static let storeLocked = Self(
        "storeLocked", .environment, "the system keeps the stored data locked for now")

    /// The storage cannot be read or written: no such folder, no permission, another kind of file, a full disk.
    public static let storeUnavailable = Self(
        "storeUnavailable", .environment, "the storage cannot be read or written")

    /// More bytes than a store keeps under one name.
    public static let storeTooLarge = Self(
        "storeTooLarge", .caller, "more bytes than a store keeps under one name")

    /// There is no such user in the store, or it went away while it was being changed.
    public static let userUnknown = Self(
        "userUnknown", .caller, "there is no such user in the store")

    /// The device cannot make or use a key.
    public static let deviceKeyUnavailable = Self(
        "deviceKeyUnavailable", .environment, "the device cannot make or use a key")

    /// An argument is outside its documented limits: a salt under 16 bytes, a name with forbidden characters.
    public static let invalidConfiguration = Self(
        "invalidConfiguration", .caller, "an argument is outside its documented limits")
}
