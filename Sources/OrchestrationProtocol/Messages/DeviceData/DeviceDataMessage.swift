/// A message about the device data alone. Its extensions carry the data.
package struct DeviceDataMessage: ChannelMessage {
    package typealias Answer = EmptyBody

    package static let type = MessageType("device.data")

    /// The name of the event that the app reports, 1 to 64 bytes of UTF-8 without control characters.
    package let event: String

    /// Data of the app about the event, 1 to 1,024 bytes of UTF-8 without control characters.
    package let applicationData: String?

    /// Creates a message.
    ///
    /// - Throws: ``WireError`` with `empty`, `tooLarge` or `invalidValue` for a malformed text.
    package init(event: String, applicationData: String? = nil) throws(WireError) {
        if let problem = DeviceDataForm.problem(of: event, maximumBytes: FieldLimit.deviceDataEvent) {
            throw WireError(problem)
        }
        if let applicationData,
            let problem = DeviceDataForm.problem(of: applicationData, maximumBytes: FieldLimit.deviceDataText)
        {
            throw WireError(problem)
        }
        self.event = event
        self.applicationData = applicationData
    }

    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.readArray(count: 2)
        let event = try reader.readText(maximumBytes: FieldLimit.deviceDataEvent)
        let applicationData =
            try reader.readIfNull() ? nil : try reader.readText(maximumBytes: FieldLimit.deviceDataText)
        try self.init(event: event, applicationData: applicationData)
    }

    package func write(to output: inout some CBOROutput) {
        output.array(2)
        output.text(event)
        if let applicationData { output.text(applicationData) } else { output.null() }
    }

    package var body: RequestBody { .deviceData(self) }
}

extension AnswerBody {
    package static var deviceData: AnswerBody { AnswerBody(EmptyBody(), to: DeviceDataMessage.self) }
}
