import Primitives

/// What the text forms make of bytes: characters for the largest command that has its size bounded (an order of suite 1,
/// 400 bytes) and for the pointer of a QR code (28 bytes).
func textBudgets() {
    Budget.benchmark("budget-text-forms", ["Base64URL-400", "Base45-400", "Base45-28", "Hex-400", "Base32-20"]) {
        let command = [UInt8](repeating: 0xA5, count: 400)
        $0.enter("Base64URL-400", Base64URL.encode(command).utf8.count)
        $0.enter("Base45-400", Base45.encode(command).utf8.count)
        $0.enter("Base45-28", Base45.encode(Array(command.prefix(28))).utf8.count)
        $0.enter("Hex-400", Hex.encode(command).utf8.count)
        $0.enter("Base32-20", Base32.encode(Array(command.prefix(20))).utf8.count)
    }
}
