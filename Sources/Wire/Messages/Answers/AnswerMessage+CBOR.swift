extension AnswerMessage: FieldwiseForm {
    package func write(to output: inout some CBOROutput) {
        output.array(10)
        output.text(type.answerText)
        output.unsigned(Self.direction)
        output.text(tenant)
        output.text(account)
        output.bytes(deviceID)
        output.bytes(requestID)
        output.time(time)
        output.unsigned(ratchetIndex)
        output.unsigned(failedCodes)
        result.write(to: &output)
    }
    // As the defaults, but compiled for this type: messages are encoded on a hot path.

    package var encoded: [UInt8] { written }

    package var encodedByteCount: Int { measured }

    package func encode(into output: inout OutputSpan<UInt8>) throws(WireError) {
        try append(to: &output)
    }
}
