import Foundation
import Testing

/// The article "Migrating from a callback SDK" has a row for each name of the other SDK. `.ci/documentation` checks
/// that the links of the rows lead to symbols and articles.
@Suite struct MigrationTests {
    /// The types, functions, callbacks and keys of the other SDK.
    static let names = [
        "Orchestrator", "execute", "CryptoAppIndex",
        "OrchestrationErrorDelegate", "OrchestrationError", "OrchestrationWarningDelegate", "OrchestrationWarning",
        "startActivation", "OnlineActivationParameters", "OnlineActivationDelegate",
        "startNotificationRegistration", "NotificationRegistrationParameters", "NotificationRegistrationDelegate",
        "setRemoteAuthenticationCallback", "setRemoteTransactionCallback", "RemoteAuthenticationDelegate",
        "RemoteTransactionDelegate", "onDataApproved", "onDataRejected",
        "LocalAuthenticationParameters", "LocalAuthenticationDelegate",
        "LocalTransactionParameters", "LocalTransactionDelegate",
        "ChangePasswordParameters", "ChangePasswordDelegate",
        "UserAuthenticationDelegate", "UserAuthenticationInputDelegate",
        "startLocalAuthentication", "startLocalTransaction", "startChangePassword", "setUserAuthenticationCallback",
        "registerNotificationService", "DisplayDataCaller", "UserAuthenticationType",
        "UserAuthenticationMethodManager", "getUserAuthenticationMethodManager", "enrollFace", "FaceEnrollmentParams",
        "FaceEnrollmentCallback",
        "CDDCParameters", "CDDCMessageParameters", "CDDCDataFeeder", "getCDDCDataFeeder", "getCDDCMessage",
        "orch_pinpad_text_registration", "orch_pinpad_text_registration_confirm", "orch_pinpad_text_authentication",
        "orch_pinpad_text_update", "orch_pinpad_text_update_confirmation", "orch_pinpad_error_weak",
        "orch_pinpad_error_confirmation", "orch_biometric_title", "orch_biometric_description",
        "orch_biometric_failed", "orch_biometric_btn_cancel",
        "orch_pinpad_background_color", "orch_pinpad_arrow_color", "orch_pinpad_input_color", "orch_pinpad_text_color",
        "orch_pinpad_text_error_color", "orch_pinpad_digit_color", "orch_pinpad_input_empty_size",
        "orch_pinpad_input_full_size", "orch_pinpad_title_text_size", "orch_pinpad_text_error_size",
        "orch_pinpad_digit_text_size", "orch_pinpad_background_image", "orch_pinpad_background_mode",
        "orch_pinpad_arrow_image", "orch_pinpad_input_empty_character", "orch_pinpad_input_full_character",
        "orch_pinpad_input_font_name", "orch_pinpad_text_font_name", "orch_pinpad_text_error_font_name",
        "orch_pinpad_digit_font_name",
        "getUserManager", "UserManager", "getUsers", "isUserActivated", "getUserInformation", "deleteUser",
    ]

    @Test(arguments: names) func `a row of the article on the migration has the name, and a link`(name: String) throws {
        let article = DocumentationTests.root.appending(
            path: "DocC/Orchestration.docc/Client/MigratingFromACallbackSDK.md")
        let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { $0.components(separatedBy: " | ") }
            .filter { $0[0].contains("`\(name)`") }
        #expect(rows.count == 1, "there are \(rows.count) rows of \(name)")
        #expect(rows.allSatisfy { $0.count == 2 && ($0[1].contains("``/") || $0[1].contains("<doc:")) })
    }
}
