import OrchestrationProtocol
import Testing

/// The rules of device data beside the vectors, which have a row for each limit.
@Suite struct DeviceDataTests {
    @Test func `the error of a field names it and no value`() throws {
        let rows: [([DeviceDataField: DeviceDataValue], DeviceDataError)] = [
            ([.system: .text("Linux"), .locale: .text("de\nAT")], DeviceDataError(.invalidValue, field: 4)),
            ([.rooted: .text("secret")], DeviceDataError(.unexpectedType, field: 17)),
            ([.wifiNetwork: .hash([1])], DeviceDataError(.unexpectedLength, field: 41)),
            ([:], DeviceDataError(.empty, field: nil)),
        ]
        for (values, expected) in rows {
            let error = #expect(throws: DeviceDataError.self) { try DeviceData(values) }
            #expect(error == expected)
        }
        #expect("\(DeviceDataError(.invalidValue, field: 4))" == "invalidValue in field locale")
        #expect("\(DeviceDataError(.invalidValue, field: 900))" == "invalidValue in field 900")
        #expect("\(DeviceDataError(.empty, field: nil))" == "empty")
    }

    @Test func `the field that is too much is named`() throws {
        var values = DeviceDataSamples.largest
        #expect(try DeviceData(numbered: values).encoded.count == 4_096)
        values[903] = .boolean(true)
        let tooLarge = #expect(throws: DeviceDataError.self) { try DeviceData(numbered: values) }
        #expect(tooLarge == DeviceDataError(.tooLarge, field: 903))
        let many = Dictionary(uniqueKeysWithValues: (100..<165).map { (UInt64($0), DeviceDataValue.boolean(true)) })
        let tooMany = #expect(throws: DeviceDataError.self) { try DeviceData(numbered: many) }
        #expect(tooMany == DeviceDataError(.tooManyItems, field: 164))
    }

    @Test func `the field at which decoding ends is named`() throws {
        var bytes = try DeviceData([.system: .text("Linux"), .rooted: .boolean(true)]).encoded
        bytes[bytes.count - 1] = 0xF6
        let error = #expect(throws: DeviceDataError.self) { try DeviceData(reading: bytes) }
        #expect(error == DeviceDataError(.unexpectedType, field: 17))
    }

    @Test(arguments: MessageVectors.all.messages.filter { $0.type == "DeviceData" })
    func `what was read is encoded to the same bytes`(vector: MessageVectors.Message) throws {
        let data = try DeviceData(decoding: vector.bytes)
        #expect(try DeviceData(numbered: data.values).encoded == vector.bytes)
    }

    @Test func `a policy reads names and texts, and no hashes, lists and unknown fields`() throws {
        let values = try DeviceData(numbered: DeviceDataSamples.everyField).policyValues
        #expect(values["rooted"] == "false")
        #expect(values["uptime"] == "86400")
        #expect(values["longitude"] == "-16370000")
        #expect(values["system"] == "Linux")
        #expect(values["wifiNetwork"] == nil && values["networkInterfaces"] == nil)
        #expect(values.count == DeviceDataSamples.everyField.count - 3)
    }

    @Test func `every field has a purpose and a name, and the groups that need a permission are known`() {
        #expect(DeviceDataField.allCases.allSatisfy { $0.purpose.count > 10 })
        #expect(Set(DeviceDataField.allCases.map(\.name)).count == DeviceDataField.allCases.count)
        #expect(Set(DeviceDataField.allCases.map(\.group)) == Set(DeviceDataGroup.allCases))
    }

    @Test func `device data in a request are one of three things`() {
        let hash = [UInt8](repeating: 1, count: 32)
        let rows: [(Extensions, DeviceDataPart?)] = [
            ([:], nil), ([7: .null], nil), ([1: .bytes([1, 2])], .full([1, 2])), ([2: .bytes(hash)], .hash(hash)),
            ([2: .bytes([1])], .malformed), ([1: .text("x")], .malformed), ([2: .null], .malformed),
            ([1: .bytes([1]), 2: .bytes(hash)], .malformed),
        ]
        for (extensions, part) in rows { #expect(extensions.deviceData == part) }
    }

    @Test func `what an answer says about device data is known or ignored`() {
        let rows: [(CBORValue, DeviceDataReply?)] = [
            (.array([.unsigned(0), .null]), .unknown), (.array([.unsigned(1), .null]), .refused(field: nil)),
            (.array([.unsigned(1), .unsigned(17)]), .refused(field: 17)), (.array([.unsigned(2), .null]), nil),
            (.array([.unsigned(0)]), nil), (.unsigned(0), nil), (.array([.unsigned(1), .text("x")]), nil), (.null, nil),
        ]
        for (value, reply) in rows {
            let extensions: Extensions = [3: value]
            #expect(extensions.deviceDataReply == reply)
        }
        #expect(Extensions.none.deviceDataReply == nil)
    }

    @Test func `the name of an event and its data are plain texts of their length`() throws {
        for (event, data, code) in [
            ("", nil, WireError.Code.empty), (String(repeating: "e", count: 65), nil, .tooLarge),
            ("a\nb", nil, .invalidValue),
            ("e", "", .empty), ("e", String(repeating: "x", count: 1025), .tooLarge), ("e", "\u{202E}", .invalidValue),
        ] as [(String, String?, WireError.Code)] {
            #expect(throws: WireError(code)) { try DeviceDataMessage(event: event, applicationData: data) }
        }
    }
}
