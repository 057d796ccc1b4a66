import Primitives

/// Registers the budgets: the size of every command, the round trips of every flow, the statements of every decision.
func budgets() {
    exchangeBudgets()
    textBudgets()
    statementBudgets()
}

/// The lengths of the text forms, in characters, of the largest command with a bounded size (an approval request of
/// suite 1, 400 bytes) and of the pointer in a QR code (28 bytes).
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
