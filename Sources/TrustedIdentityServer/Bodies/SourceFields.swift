/// What a request says about where it comes from. It informs risk and throttles; it never authenticates anybody.
struct SourceFields: Decodable, Sendable {
    /// The fingerprint of the user's browser, as the application server's site took it.
    let fingerprint: String?
    let clientIP: String?

    private enum CodingKeys: String, CodingKey {
        case clientIP, cddc, relationshipRef, sessionID, applicationRef
    }

    private enum DeviceKeys: String, CodingKey {
        case browserCDDC
    }

    private enum BrowserKeys: String, CodingKey {
        case fingerprintHash, fingerprintRaw
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        clientIP = try fields.decodeIfPresent(.clientIP, bytes: 64)
        // Taken for compatibility: a wrong type is refused, the value has no use yet.
        for key in [CodingKeys.relationshipRef, .sessionID, .applicationRef] {
            _ = try fields.decodeIfPresent(key, bytes: 256)
        }
        guard fields.contains(.cddc), try !fields.decodeNil(forKey: .cddc) else {
            fingerprint = nil
            return
        }
        let device = try fields.nestedContainer(keyedBy: DeviceKeys.self, forKey: .cddc)
        guard device.contains(.browserCDDC), try !device.decodeNil(forKey: .browserCDDC) else {
            fingerprint = nil
            return
        }
        let browser = try device.nestedContainer(keyedBy: BrowserKeys.self, forKey: .browserCDDC)
        fingerprint = try browser.decodeIfPresent(.fingerprintHash, bytes: 256)
        _ = try browser.decodeIfPresent(String.self, forKey: .fingerprintRaw)
    }
}
