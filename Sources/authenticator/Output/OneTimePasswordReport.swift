import Orchestration

/// A one-time password for people and for machines.
struct OneTimePasswordReport: Encodable {
    let oneTimePassword: String
    let hostCode: String?
    let expiresIn: Int?

    init(_ code: OneTimePasswordResult) {
        oneTimePassword = code.oneTimePassword
        hostCode = code.hostCode
        expiresIn = code.expiresIn
    }

    var text: String {
        var fields = [(name: "one-time password", value: oneTimePassword)]
        if let hostCode { fields.append(("host code", hostCode)) }
        if let expiresIn { fields.append(("seconds left", "\(expiresIn)")) }
        return Table(fields).text
    }
}
