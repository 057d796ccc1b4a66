public import TrustedIdentity

/// What every `PlatformStore` has to do. Run each check on a new, empty store.
public enum PlatformStoreConformance {
    /// All checks.
    public static let checks: [ConformanceCheck<any PlatformStore>] =
        rows + devices + codes + throttles + transactions + expiry + logs

    static let now = Rows.now
}
