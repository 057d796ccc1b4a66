extension InstallationConfiguration {
    /// Whether a push service or a receiver of the configuration is reached over TLS.
    package var sendsOverTLS: Bool {
        [webhookURL, events.url].contains { $0?.hasPrefix("https:") == true } || apns.key != nil
            || fcm.serviceAccount != nil || !fcm.apps.isEmpty || webPush.key != nil
    }
}

/// The configuration of the webhook that receives the events of accounts and devices. It is used when both fields are
/// named.
package struct EventConfiguration: Sendable, Hashable {
    /// The address, or nil for none.
    package var url: String?

    /// The path of the file with the secret, or nil for none.
    package var secret: String?
}

/// The configuration of the gateway to the Apple Push Notification service. It is used when the first four fields are
/// named.
package struct APNsConfiguration: Sendable, Hashable {
    /// The path of the file with the key, or nil for none.
    package var key: String?

    /// The id of the key, or nil for none.
    package var keyID: String?

    /// The id of the developer team, or nil for none.
    package var teamID: String?

    /// The bundle identifier of the app, or nil for none.
    package var topic: String?

    /// Further apps of the team, with their bundle identifiers.
    package var apps: [PushApp] = []

    /// The service that has issued the device tokens.
    package var environment = APNsGateway.Environment.production

    /// The text that the user sees.
    package var alert = APNsGateway.defaultAlert
}

/// The configuration of the gateway to push services of the web. It is used when all fields are named.
package struct WebPushConfiguration: Sendable, Hashable {
    /// The path of the file with the key, or nil for none.
    package var key: String?

    /// The contact of the operator, or nil for none.
    package var subject: String?

    /// The hosts that an endpoint may have.
    package var hosts: [WebPushHost] = []
}

/// The configuration of the gateways to Firebase Cloud Messaging.
package struct FCMConfiguration: Sendable, Hashable {
    /// The path of the key file of the service account, or nil for none.
    package var serviceAccount: String?

    /// The collapse key of all messages, or nil for none.
    package var collapseKey: String?

    /// Further apps, with the paths of the key files of their service accounts.
    package var apps: [PushApp] = []
}

/// A further app of a push service. Its id follows the scheme in the notification identifiers of its devices, such as
/// `business` in `apns-business:0a1b`.
package struct PushApp: Sendable, Hashable, CustomStringConvertible {
    /// 1 to 20 small letters and digits.
    package let id: String
    /// The bundle identifier, or the path of a file.
    package let value: String

    package init(id: String, value: String) {
        self.id = id
        self.value = value
    }

    /// The form in a configuration: the id, `=` and the value.
    package var description: String { "\(id)=\(value)" }

    /// Reads a list with commas between the apps.
    ///
    /// - Parameter isValue: Returns whether a text is a value.
    /// - Returns: nil for another form, and for an id that occurs twice.
    static func list(_ text: String, isValue: (String) -> Bool) -> [PushApp]? {
        var apps: [PushApp] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: "=") else { return nil }
            let app = PushApp(id: String(part[..<sign]), value: String(part[part.index(after: sign)...]))
            guard isID(app.id), isValue(app.value), !apps.contains(where: { $0.id == app.id }) else { return nil }
            apps.append(app)
        }
        return apps
    }

    private static func isID(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
}
