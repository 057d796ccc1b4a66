public import OrchestrationProtocol

/// A collector of the device data of one group.
///
/// The SDK has collectors for `basic`, on Linux and Apple platforms for `network`, and on Linux for `wifi` and
/// `bluetooth`. An app supplies its own collector for another group, or instead of one of these. A field of another
/// group, a field that the settings do not allow, and a value of another form are left out.
public protocol DeviceDataCollector: Sendable {
    /// The group.
    var group: DeviceDataGroup { get }

    /// Returns the values that are known now.
    ///
    /// - Throws: ``DeviceDataPermissionError`` when the user has not given the permission: the group is left out with
    ///   ``Warning/Code/deviceDataPermissionMissing(_:)``. Any other error leaves it out with
    ///   ``Warning/Code/deviceDataMissing(_:)``.
    func collect() async throws -> [DeviceDataField: DeviceDataValue]
}

/// The error of a collector whose permission is missing.
public struct DeviceDataPermissionError: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}
