/// Gives memory back to the system that is of no use any more.
enum MemoryRelease {
    /// Does so after the start, and again after each peak, until the task is cancelled.
    ///
    /// - Parameter peaks: An element when many connections have ended.
    static func run(peaks: AsyncStream<Void>) async throws {
        // For the clients that come at once, and again for what is still read in the background.
        await BlockingWork.run { StartUpMemory.giveBack() }
        try await Task.sleep(for: StartUpMemory.delay)
        await BlockingWork.run { StartUpMemory.giveBack() }
        for await _ in peaks {
            // For the connections that end together, and so that peaks in a row have little of it.
            try await Task.sleep(for: Allocator.restAfterPeak)
            await BlockingWork.run { Allocator.giveBack() }
        }
    }
}
