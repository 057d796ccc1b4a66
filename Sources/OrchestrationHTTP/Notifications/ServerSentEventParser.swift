/// A parser of a stream of Server-Sent Events (HTML Living Standard, section 9.2.6), with limits.
///
/// It takes the bytes one by one and keeps at most one event. A line or an event beyond its limit is an error, because
/// the stream is not trusted. The platform sends nothing close to the limits.
struct ServerSentEventParser {
    /// The longest line in bytes, without its end.
    static let longestLine = 1_024

    /// The maximum data size of one event in bytes.
    static let largestEvent = 4_096

    /// An event with its type, its data, and the id of the last event that named one.
    struct Event: Hashable {
        var type = ""
        var data = ""
        var id: String?
    }

    private var line: [UInt8] = []
    private var isAfterCarriageReturn = false
    private var event = Event()
    private var hasData = false

    /// Takes the next byte.
    ///
    /// - Returns: The event that the byte completes; an event without content for a comment. The platform sends a
    ///   comment every 15 seconds.
    /// - Throws: ``HTTPFailure`` with the code `tooLarge`.
    mutating func consume(_ byte: UInt8) throws(HTTPFailure) -> Event? {
        // A line ends with CR, LF, or both.
        if byte == 0x0A, isAfterCarriageReturn {
            isAfterCarriageReturn = false
            return nil
        }
        isAfterCarriageReturn = byte == 0x0D
        guard byte == 0x0A || byte == 0x0D else {
            guard line.count < Self.longestLine else { throw HTTPFailure(.tooLarge) }
            line.append(byte)
            return nil
        }
        defer { line.removeAll(keepingCapacity: true) }
        return try endLine()
    }

    private mutating func endLine() throws(HTTPFailure) -> Event? {
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        guard colon != 0 else { return Event() }
        let name = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch name {
        case "data":
            guard event.data.utf8.count + text.utf8.count < Self.largestEvent else { throw HTTPFailure(.tooLarge) }
            event.data += hasData ? "\n" + text : text
            hasData = true
        case "event": event.type = text
        case "id": if !text.utf8.contains(0) { event.id = text }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer {
            event = Event(id: event.id)
            hasData = false
        }
        return hasData ? event : nil
    }
}
