/// What CI holds: the size of every command, the round trips of every flow, the statements of every decision.
func budgets() {
    exchangeBudgets()
    textBudgets()
    statementBudgets()
}
