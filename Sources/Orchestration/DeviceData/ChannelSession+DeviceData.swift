internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The device data of one request.
struct RequestDeviceData: Sendable {
    let part: DeviceDataPart
    /// The SHA-256 of the data.
    let hash: [UInt8]
    /// The time when the data leaves, by the device's clock.
    let time: Timestamp
}

/// The device data that the platform has after an answer.
struct NotedDeviceData: Sendable {
    let latest: SentDeviceData.Latest?

    func apply(to record: inout UserRecord) { record.deviceData.latest = latest }
}

extension ChannelSession {
    /// Returns the device data for a request, after it was entered in the ledger.
    ///
    /// Device data never makes a request fail. Data that cannot be collected is left out, and data that cannot be
    /// entered in the ledger is not sent; both with a warning.
    ///
    /// - Parameter warnings: The warnings of the exchange. The warnings about the data are added.
    /// - Throws: `CancellationError`.
    func deviceData(
        of record: UserRecord, _ key: any DeviceKey, _ warnings: inout [Warning]
    ) async throws -> RequestDeviceData? {
        guard environment.configuration.deviceData.isEnabled else { return nil }
        let now = environment.time.now()
        do {
            guard let data = try await composedDeviceData(of: record, key, &warnings) else { return nil }
            let hash = data.hash
            switch record.deviceData.form(of: hash, at: now) {
            case .nothing: return nil
            case .hash:
                try await enter(of: record, key) { $0.enterHash(at: now) }
                return RequestDeviceData(part: .hash(hash), hash: hash, time: now)
            case .full:
                try await enter(of: record, key) { sent in
                    sent.latest = nil
                    sent.enter(data, at: now)
                }
                return RequestDeviceData(part: .full(data.encoded), hash: hash, time: now)
            }
        } catch {
            if error is CancellationError { throw error }
            let cause = OrchestrationError.leavingTheSDK(error) as? OrchestrationError
            warnings.append(Warning(.deviceDataNotSent, cause: cause))
            return nil
        }
    }

    /// Returns the data with keyed hashes instead of the values that the settings name; `nil` without a field.
    ///
    /// - Parameter warnings: The warnings, to which the warnings about fields that are left out are added.
    func composedDeviceData(
        of record: UserRecord, _ key: any DeviceKey, _ warnings: inout [Warning]
    ) async throws -> DeviceData? {
        let settings = environment.configuration.deviceData
        var values = await environment.deviceData.current()
        try Task.checkCancellation()
        let hashed = settings.hashedFields.intersection(values.keys)
        if !hashed.isEmpty {
            let hashKey = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: try await key.secret(.storage), salt: record.deviceID,
                info: Label.deviceDataHash.bytes, outputByteCount: 32)
            for field in hashed {
                guard let value = values[field] else { continue }
                let code = HMAC<SHA256>.authenticationCode(for: value.hashInput(of: field), using: hashKey)
                values[field] = .hash(Array(code.prefix(16)))
            }
        }
        // A field that is wrong or exceeds the limits is left out, and the others are sent.
        while !values.isEmpty {
            do throws(DeviceDataError) {
                return try DeviceData(values)
            } catch {
                guard let field = error.field.flatMap(DeviceDataField.init(rawValue:)) else { break }
                values[field] = nil
                let cause = OrchestrationError(.invalidArgument, underlying: error)
                warnings.append(Warning(.deviceDataFieldLeftOut(field), cause: cause))
            }
        }
        return nil
    }

    /// Returns the state of the device data after an authenticated answer; `nil` where the answer changes nothing.
    func note(
        _ sent: RequestDeviceData?, _ answer: AnswerMessage, _ warnings: inout [Warning]
    ) -> NotedDeviceData? {
        // The platform has not read the data of a message that it refused before, for example as expired.
        if case .refused(let refusal) = answer.result, !RefusalCode.ofServedDevices.contains(refusal.code) {
            return nil
        }
        let reply = answer.extensions.deviceDataReply
        guard let sent else { return nil }
        switch (sent.part, reply) {
        case (.full, .unknown), (.hash, nil), (.malformed, _): return nil
        case (.hash, .unknown): return NotedDeviceData(latest: nil)
        case (.full, nil):
            return NotedDeviceData(latest: .init(hash: sent.hash, sentAt: sent.time, isRefused: false))
        case (.full, .refused), (.hash, .refused):
            warnings.append(Warning(.deviceDataNotSent))
            return NotedDeviceData(latest: .init(hash: sent.hash, sentAt: sent.time, isRefused: true))
        }
    }

    /// Writes to the ledger. Without a change nothing is written.
    func enter(
        of record: UserRecord, _ key: any DeviceKey, _ change: @escaping @Sendable (inout SentDeviceData) -> Void
    ) async throws {
        let deviceID = record.deviceID
        var entered = record.deviceData
        change(&entered)
        guard entered != record.deviceData else { return }
        _ = try await environment.vault.update(account, expecting: key) { record in
            if record.deviceID == deviceID { change(&record.deviceData) }
        }
    }
}
