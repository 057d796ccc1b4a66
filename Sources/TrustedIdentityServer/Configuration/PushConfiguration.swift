extension InstallationConfiguration {
    /// Whether a push service or a receiver of the configuration is reached over TLS.
    package var sendsOverTLS: Bool {
        [webhookURL, events.url].contains { $0?.hasPrefix("https:") == true } || apns.key != nil
            || fcmServiceAccount != nil || webPush.key != nil
    }
}

/// The configuration of the webhook that gets the events of accounts and devices. It is used when both are named.
package struct EventConfiguration: Sendable, Hashable {
    /// The address, or nil for none.
    package var url: String?

    /// The path of the file with the secret, or nil for none.
    package var secret: String?
}

/// The configuration of the gateway to the Apple Push Notification service. It is used when the first four are named.
package struct APNsConfiguration: Sendable, Hashable {
    /// The path of the file with the key, or nil for none.
    package var key: String?

    /// The id of the key, or nil for none.
    package var keyID: String?

    /// The id of the developer team, or nil for none.
    package var teamID: String?

    /// The bundle identifier of the app, or nil for none.
    package var topic: String?

    /// The service that has issued the device tokens.
    package var environment = APNsGateway.Environment.production

    /// The text that the user sees.
    package var alert = APNsGateway.defaultAlert
}

/// The configuration of the gateway to push services of the web. It is used when all of it is named.
package struct WebPushConfiguration: Sendable, Hashable {
    /// The path of the file with the key, or nil for none.
    package var key: String?

    /// The contact of the operator, or nil for none.
    package var subject: String?

    /// The hosts that an endpoint may have.
    package var hosts: [WebPushHost] = []
}
