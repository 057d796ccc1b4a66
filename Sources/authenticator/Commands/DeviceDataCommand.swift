import ArgumentParser
import CommandLine
import Orchestration

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `device-data`: the data that this program reports about the device.
struct DeviceDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device-data",
        abstract: "Show what this program reports to the platform about this device.",
        subcommands: [ShowDeviceData.self], defaultSubcommand: ShowDeviceData.self)
}

/// `device-data show [USER]`.
struct ShowDeviceData: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show every field with its purpose, and the ledger of a user.",
        discussion: "Nothing is sent. A field is not sent when its group is off.")

    @Argument(help: "The user whose ledger to show, or user@domain.")
    var user: String?

    @OptionGroup var options: DeviceOptions

    mutating func run() async throws {
        let orchestrator = try await options.unconnectedOrchestrator()
        let fields = await orchestrator.deviceData().map(DeviceDataRow.init)
        var ledger: [LedgerRow]?
        if let user { ledger = try await orchestrator.deviceDataLedger(for: user).map(LedgerRow.init) }
        if options.json {
            return try StandardStream.output.print(json: DeviceDataShown(fields: fields, ledger: ledger))
        }
        let header = ["FIELD", "GROUP", "SENT", "VALUE", "PURPOSE"]
        StandardStream.output.print(Table([header] + fields.map(\.cells)).text)
        guard let ledger else { return }
        StandardStream.output.print("")
        guard !ledger.isEmpty else { return StandardStream.output.print("Nothing was sent.") }
        StandardStream.output.print(Table([["SENT IN FULL", "LAST NAMED", "FIELDS"]] + ledger.map(\.cells)).text)
    }
}

/// The output of `device-data show --json`.
private struct DeviceDataShown: Encodable {
    let fields: [DeviceDataRow]
    let ledger: [LedgerRow]?
}

/// A field with its value on this device.
private struct DeviceDataRow: Encodable {
    let field: String
    let group: String
    let sent: String
    let value: String?
    let purpose: String

    init(_ item: DeviceDataItem) {
        field = item.field.name
        group = item.field.group.rawValue
        sent = !item.isAllowed ? "no" : item.value == nil ? "unknown" : item.isHashed ? "as a hash" : "yes"
        value = item.value.map { value in
            switch value {
            case .text(let text): text
            case .integer(let number): "\(number)"
            case .boolean(let value): "\(value)"
            case .texts(let texts): texts.joined(separator: ", ")
            case .hash(let bytes): "\(bytes.count) bytes"
            }
        }
        purpose = item.field.purpose
    }

    var cells: [String] { [field, group, sent, value ?? "-", purpose] }
}

/// An entry of the ledger.
private struct LedgerRow: Encodable {
    let sentAt: String
    let lastNamed: String?
    let isMessage: Bool
    let fields: [String]
    let hashedFields: [String]

    init(_ entry: DeviceDataLedgerEntry) {
        sentAt = entry.time.formatted(.iso8601)
        lastNamed = entry.lastNamed?.formatted(.iso8601)
        isMessage = entry.isMessage
        fields = entry.fields.map(\.name)
        hashedFields = entry.fields.filter(entry.hashedFields.contains).map(\.name)
    }

    var cells: [String] {
        let names = fields.map { hashedFields.contains($0) ? $0 + " (hash)" : $0 }
        return [sentAt + (isMessage ? " (message)" : ""), lastNamed ?? "-", names.joined(separator: " ")]
    }
}
