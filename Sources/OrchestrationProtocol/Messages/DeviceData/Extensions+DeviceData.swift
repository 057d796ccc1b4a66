/// The device data of a request.
package enum DeviceDataPart: Sendable, Hashable {
    /// The encoding of ``DeviceData``, not decoded yet.
    case full([UInt8])
    /// The SHA-256 of an encoding, 32 bytes.
    case hash([UInt8])
    /// Malformed values under the device data keys.
    case malformed
}

/// The part of an answer about the device data in its request.
package enum DeviceDataReply: Sendable, Hashable {
    /// The platform does not have the data with this hash. The next request carries the data in full.
    case unknown
    /// The data is refused, because of `field` if one can be named.
    case refused(field: UInt64?)
}

extension Extensions {
    private enum DeviceDataKey {
        static let full: Int64 = 1
        static let hash: Int64 = 2
        static let reply: Int64 = 3
    }

    /// The extensions of a request with device data.
    package static func deviceData(_ part: DeviceDataPart?) -> Extensions {
        switch part {
        case .full(let encoding): [DeviceDataKey.full: .bytes(encoding)]
        case .hash(let hash): [DeviceDataKey.hash: .bytes(hash)]
        case .malformed, nil: .none
        }
    }

    /// The device data of a request; `nil` if it contains none.
    package var deviceData: DeviceDataPart? {
        switch (self[DeviceDataKey.full], self[DeviceDataKey.hash]) {
        case (nil, nil): nil
        case (.bytes(let encoding)?, nil): .full(encoding)
        case (nil, .bytes(let hash)?) where hash.count == FieldSize.hash: .hash(hash)
        default: .malformed
        }
    }

    /// The extensions of an answer: the part about the device data, a notice of the application server, the registered
    /// methods, and the number of wrong passwords since the previous correct one.
    package static func answer(
        _ deviceData: DeviceDataReply? = nil, _ notice: RefusalNotice? = nil, methods: [RegisteredMethod] = [],
        failedPasswords: Int = 0
    ) -> Extensions {
        var pairs: [(key: Int64, value: CBORValue)] = []
        if let deviceData { pairs.append((DeviceDataKey.reply, deviceData.value)) }
        if let notice { pairs.append((RefusalNotice.extensionKey, notice.value)) }
        if let value = RegisteredMethod.value(of: methods) { pairs.append((RegisteredMethod.extensionKey, value)) }
        if failedPasswords > 0 {
            pairs.append((AnswerMessage.failedPasswordsKey, .unsigned(UInt64(failedPasswords))))
        }
        return Extensions(pairs)
    }

    /// The part of an answer about the device data; `nil` if it is absent, or if only a later version knows its form.
    package var deviceDataReply: DeviceDataReply? {
        guard case .array(let members)? = self[DeviceDataKey.reply], members.count == 2 else { return nil }
        switch (members[0], members[1]) {
        case (.unsigned(0), .null): return .unknown
        case (.unsigned(1), .null): return .refused(field: nil)
        case (.unsigned(1), .unsigned(let field)): return .refused(field: field)
        default: return nil
        }
    }
}

extension DeviceDataReply {
    fileprivate var value: CBORValue {
        switch self {
        case .unknown: .array([.unsigned(0), .null])
        case .refused(let field): .array([.unsigned(1), field.map { .unsigned($0) } ?? .null])
        }
    }
}
