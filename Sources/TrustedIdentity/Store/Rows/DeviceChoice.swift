/// The condition of a ``DeviceFilter`` in SQL. An index has all its columns.
struct DeviceChoice {
    private(set) var condition = Schema.isActivated
    private(set) var values: Parameters = [:]

    init(_ filter: DeviceFilter) {
        if let serialNumber = filter.serialNumber {
            condition += " AND serial_number = :serialNumber"
            values.add("serialNumber", serialNumber)
        }
        if let isAssigned = filter.isAssigned {
            condition += isAssigned ? " AND state <> 'revoked'" : " AND state = 'revoked'"
        }
        if let domains = filter.domains {
            let names = domains.sorted().enumerated().map { number, domain in
                values.add("domain\(number)", "@" + domain)
                return "substr(account, -length(:domain\(number))) = :domain\(number)"
            }
            condition += names.isEmpty ? " AND false" : " AND (" + names.joined(separator: " OR ") + ")"
        }
    }
}
