/// What the application server should do next. The other codes of the original are never sent.
enum RiskResponseCode: Int, Encodable {
    case accept = 0
    case decline = 1
}
