internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

extension Policy {
    /// SHA-256 of a canonical form. Equal policies have the same hash in all processes of one version of this package,
    /// which compare it: see ``Platform/replacePolicy(with:hash:)``.
    var canonicalHash: [UInt8] { Array(SHA256.hash(data: canonical.encoded)) }

    private var canonical: CBORValue {
        .array([
            .text(name), logins.canonical, transactions.canonical, events?.canonical ?? .null, codes.canonical,
            pushes.canonical, strict.canonical, .boolean(softwareProviders),
        ])
    }
}

// Sets have no order: their members are sorted.

extension PolicyRules {
    fileprivate var canonical: CBORValue { .array(rules.map(\.canonical)) }
}

extension PolicyRule {
    fileprivate var canonical: CBORValue {
        .array([.text(name), .array(conditions.map(\.canonical)), action.canonical])
    }
}

extension PolicyAction {
    fileprivate var canonical: CBORValue {
        switch self {
        case .accept: .text("accept")
        case .refuse: .text("refuse")
        case .challenge(let requirement): requirement.canonical
        }
    }
}

extension PolicyRequirement {
    fileprivate var canonical: CBORValue {
        .array([
            method.canonical, .integer(Int64(digits)), .boolean(refusesWithoutNumber),
            .boolean(rejectsWithPossession), .array(fallbacks.map(\.canonical)),
        ])
    }
}

extension PolicyCondition {
    fileprivate var canonical: CBORValue {
        let (kind, values): (StaticString, [CBORValue]) =
            switch self {
            case .amount(let range):
                (
                    "amount",
                    [.text(range.currency.code), .unsigned(range.units.lowerBound), .unsigned(range.units.upperBound)]
                )
            case .amountUnknown: ("amountUnknown", [])
            case .currency(let listed): ("currency", listed.map(\.code).sorted().map { .text($0) })
            case .otherCurrency: ("otherCurrency", [])
            case .creditor(let creditor): ("creditor", [.unsigned(UInt64(creditor.rawValue))])
            case .freeText(let isShown): ("freeText", [.boolean(isShown)])
            case .smallPayments(let count, let sum):
                ("smallPayments", [.integer(Int64(count)), .unsigned(sum.minorUnits), .text(sum.currency.code)])
            case .source(let isKnown): ("source", [.boolean(isKnown)])
            case .browser(let browser): ("browser", [.unsigned(UInt64(browser.rawValue))])
            case .numbers(let areShown): ("numbers", [.boolean(areShown)])
            case .address(let ranges): ("address", ranges.map { .bytes($0.bytes) })
            case .addressOutside(let ranges): ("addressOutside", ranges.map { .bytes($0.bytes) })
            case .time(let range): ("time", [.integer(Int64(range.start)), .integer(Int64(range.end))])
            case .deviceAge(let limit): ("deviceAge", [limit.canonical])
            case .rejections(let count): ("rejections", [.integer(Int64(count))])
            case .type(let types): ("type", types.sorted().map { .text($0) })
            case .deviceData(let key, let value): ("deviceData", [.text(key), .text(value)])
            case .deviceDataUnknown(let key): ("deviceDataUnknown", [.text(key)])
            }
        return .array([.text(kind.description)] + values)
    }
}

extension TypedCodes {
    fileprivate var canonical: CBORValue {
        .array([
            .array(methods.map(\.rawValue).sorted().map { .unsigned(UInt64($0)) }),
            .array(applications.map(\.rawValue).sorted().map { .unsigned(UInt64($0)) }),
            .boolean(hostCodes), .boolean(seals), .boolean(staticPasswords),
        ])
    }
}

extension PushLimits {
    fileprivate var canonical: CBORValue {
        .array([
            .integer(Int64(burst)), window.canonical, .integer(Int64(daily)), backOff.canonical,
            maximumBackOff.canonical,
        ])
    }
}

extension StrictMode {
    fileprivate var canonical: CBORValue {
        .array([
            .integer(Int64(rejections)), window.canonical, duration.canonical, durationAfterNotMe.canonical,
            method.canonical, .integer(Int64(digits)),
        ])
    }
}

extension AuthenticationMethod {
    fileprivate var canonical: CBORValue { .unsigned(UInt64(rawValue)) }
}

extension Duration {
    fileprivate var canonical: CBORValue {
        .array([.integer(components.seconds), .integer(components.attoseconds)])
    }
}
