internal import NIOCore

/// An executor that runs the tasks of a connection on the thread of its event loop (SE-0417).
///
/// A request then changes the thread only where it waits for a write to the store. On the executor of the process, each
/// part that is read and each answer would wake another thread: the article "Performance" shows the difference.
///
/// A task on it must not compute for longer than some milliseconds, because the other connections of the loop wait.
/// Password hashing runs on the executor of the process.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The closure retains the executor. The unowned reference does not.
        eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
