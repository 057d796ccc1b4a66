internal import OrchestrationProtocol
internal import Primitives

extension Orchestrator {
    /// Returns every field of the schema with its value on this device, for a privacy screen.
    ///
    /// The data is collected if it is older than ``DeviceDataSettings/refreshInterval``. Nothing is sent.
    public nonisolated func deviceData() async -> [DeviceDataItem] {
        let settings = environment.configuration.deviceData
        let values = await environment.deviceData.current()
        return DeviceDataField.allCases.map { field in
            DeviceDataItem(
                field: field, value: values[field].flatMap { (try? DeviceData([field: $0])) == nil ? nil : $0 },
                isAllowed: settings.allows(field),
                isHashed: settings.hashedFields.contains(field))
        }
    }

    /// Returns the ledger of the device data that was sent for a user: at most 32 entries, the latest first.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default.
    /// - Throws: `invalidUser`, `userUnknown`; the errors of the store and the device key; `CancellationError`.
    public nonisolated func deviceDataLedger(
        for user: String, domain: String? = nil
    ) async throws -> [DeviceDataLedgerEntry] {
        do {
            let account = try environment.account(UserName(user, domain: domain))
            guard let record = try await environment.vault.record(account) else {
                throw OrchestrationError(.userUnknown)
            }
            return record.deviceData.entries.reversed().map(DeviceDataLedgerEntry.init)
        } catch {
            throw OrchestrationError.leavingTheSDK(error)
        }
    }

    /// Returns a message with the device data, for an app that reports an event outside of the SDK's commands.
    ///
    /// The message is for one use and is valid for less than five minutes. The app, or its application server, posts
    /// ``ExportedDeviceData/text`` to the platform; no reply is needed. Without encryption the message is signed only:
    /// an application server with the public key of the device reads and verifies it.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default.
    ///   - encrypted: Whether the message is sealed for the platform.
    ///   - eventName: The name of the event, 1 to 64 bytes of UTF-8 without control characters.
    ///   - applicationData: Data about the event, 1 to 1,024 bytes of UTF-8 without control characters, for example
    ///     JSON.
    /// - Returns: The message. An entry of the ledger names its fields, with `applicationData` where it has such data.
    /// - Throws: `invalidArgument` for a name or data outside the limits, for data about the event where the settings
    ///   exclude or hash the field `applicationData`, and when the settings leave no data to send; `invalidUser`,
    ///   `notActivated`, `userLocked`; the errors of the store and the device key; `CancellationError`.
    public nonisolated func deviceDataMessage(
        user: String, domain: String? = nil, encrypted: Bool = true, eventName: String, applicationData: String? = nil
    ) async throws -> ExportedDeviceData {
        do {
            let message: DeviceDataMessage
            do throws(WireError) {
                message = try DeviceDataMessage(event: eventName, applicationData: applicationData)
            } catch {
                throw OrchestrationError(.invalidArgument, underlying: error)
            }
            // Data that the settings do not allow, or allow only as a hash, does not leave in a message either.
            let settings = environment.configuration.deviceData
            let isAllowed = settings.allows(.applicationData) && !settings.hashedFields.contains(.applicationData)
            guard applicationData == nil || isAllowed else { throw OrchestrationError(.invalidArgument) }
            let account = try environment.account(UserName(user, domain: domain))
            let session = ChannelSession(account: account, orchestrator: self)
            return try await session.exportDeviceData(message, encrypted: encrypted)
        } catch {
            throw OrchestrationError.leavingTheSDK(error)
        }
    }
}

extension ChannelSession {
    fileprivate func exportDeviceData(_ message: DeviceDataMessage, encrypted: Bool) async throws -> ExportedDeviceData
    {
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        var warnings: [Warning] = []
        guard let data = try await composedDeviceData(of: record, key, &warnings) else {
            throw OrchestrationError(.invalidArgument)
        }
        let clock = await orchestrator.clockOffset(of: account, stored: record.clockOffset)
        let now = environment.time.now()
        // Data that cannot be entered in the ledger does not leave.
        let hasApplicationData = message.applicationData != nil
        try await enter(of: record, key) { sent in
            sent.enter(data, at: now, isMessage: true, hasApplicationData: hasApplicationData)
        }
        warnings = await environment.deviceData.unreported(warnings, of: account)
        let request = requestMessage(
            message.body, of: record, at: clock.requestTime(at: now), reread: false,
            extensions: .deviceData(.full(data.encoded)))
        let signed = try await request.signed { try await key.sign($0) }
        guard encrypted else { return ExportedDeviceData(command: nil, bytes: signed.encoded, warnings: warnings) }
        // The answer is not read here. The request therefore does not ask for a move of the ratchet.
        let ratchet = RatchetPart(of: signed.encoded, state: record.ratchet, input: nil, device: record.address)
        let command = try seal(SealedRequest(message: signed, ratchet: ratchet), request, of: record).command
        return ExportedDeviceData(command: command, bytes: command.bytes, warnings: warnings)
    }
}
