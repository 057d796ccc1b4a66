/// Gives way to other tasks.
package enum Settling {
    /// Lets the tasks that are ready run, and those that become ready by them.
    ///
    /// A test that waits for a condition sleeps for a millisecond between two looks instead. A loop that only yields
    /// takes the processor from the tests that run beside it.
    package static func wait() async {
        try? await Task.sleep(for: .milliseconds(1))
        for _ in 0..<20 { await Task.yield() }
    }
}
