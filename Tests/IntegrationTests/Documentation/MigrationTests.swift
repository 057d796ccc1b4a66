import Foundation
import Testing

/// The article "Migrating from a callback SDK" has a row for each name of the other SDK. `.ci/documentation` checks that the
/// links of the rows lead to symbols and articles.
@Suite struct MigrationTests {
    /// The types, functions, callbacks and keys of the other SDK.
    static let names = [
        "Orchestrator", "Context", "ActivityProvider", "execute", "CryptoAppIndex",
        "OrchestrationErrorDelegate", "OrchestrationError", "OrchestrationWarningDelegate", "OrchestrationWarning",
        "startActivation", "OnlineActivationParameters", "OnlineActivationDelegate",
        "startNotificationRegistration", "NotificationRegistrationParameters", "NotificationRegistrationDelegate",
        "setRemoteAuthenticationCallback", "setRemoteTransactionCallback", "RemoteAuthenticationDelegate",
        "RemoteTransactionDelegate", "onDataApproved", "onDataRejected",
        "LocalAuthenticationParameters", "LocalAuthenticationDelegate",
        "LocalTransactionParameters", "LocalTransactionDelegate",
        "ChangePasswordParameters", "ChangePasswordDelegate",
        "UserAuthenticationDelegate", "UserAuthenticationInputDelegate",
        "orch_pinpad_text_registration", "orch_pinpad_text_registration_confirm", "orch_pinpad_text_authentication",
        "orch_pinpad_text_update", "orch_pinpad_text_update_confirmation", "orch_pinpad_error_weak",
        "orch_pinpad_error_confirmation", "orch_biometric_title", "orch_biometric_description",
        "orch_biometric_failed", "orch_biometric_btn_cancel",
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
