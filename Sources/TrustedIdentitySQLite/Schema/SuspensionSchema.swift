/// The seventh step: the columns that decide what a restore suspends.
///
/// Rows from before are of epoch 0. The row about the platform gets its HMAC when the platform first starts on the
/// database.
enum SuspensionSchema {
    private static func number(_ name: String) -> String { "\(name) INTEGER NOT NULL DEFAULT 0 CHECK (\(name) >= 0)" }

    static let statements = [
        "ALTER TABLE platform_state ADD COLUMN \(number("epoch"))",
        "ALTER TABLE platform_state ADD COLUMN \(number("restored_sequence"))",
        "ALTER TABLE platform_state ADD COLUMN \(number("suspended_below"))",
        "ALTER TABLE platform_state ADD COLUMN \(number("suspended_below_before"))",
        "ALTER TABLE platform_state ADD COLUMN \(AuthenticationSchema.column)",
        "ALTER TABLE account ADD COLUMN \(number("registration_epoch"))",
        "ALTER TABLE account ADD COLUMN \(number("static_password_epoch"))",
        "ALTER TABLE device ADD COLUMN \(number("epoch"))",
        "ALTER TABLE api_key ADD COLUMN \(number("epoch"))",
    ]
}
