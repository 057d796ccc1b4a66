/// The condition of a ``DeviceFilter`` in SQL. An index has all its columns.
struct DeviceChoice {
    private(set) var condition = Schema.isActivated
    private(set) var values: Parameters

    /// Creates a condition.
    ///
    /// - Parameters:
    ///   - filter: The choice of devices.
    ///   - first: The values of the parameters before the parameters of the condition.
    init(_ filter: DeviceFilter, after first: Parameters = []) {
        values = first
        if let serialNumber = filter.serialNumber {
            condition += " AND serial_number = \(values.add(serialNumber))"
        }
        if let isAssigned = filter.isAssigned {
            condition += isAssigned ? " AND state <> 'revoked'" : " AND state = 'revoked'"
        }
        if let domains = filter.domains {
            let names = domains.sorted().map { domain in
                let end = values.add("@" + domain)
                return "substr(account, length(account) - length(\(end)) + 1) = \(end)"
            }
            condition += names.isEmpty ? " AND false" : " AND (" + names.joined(separator: " OR ") + ")"
        }
    }
}
