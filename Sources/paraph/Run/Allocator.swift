import CGlibc

/// The way in which memory is taken from the kernel.
enum Allocator {
    /// Bytes from which on a block is a mapping of its own, which goes back to the kernel when it is freed.
    private static let largeBlock: Int32 = 128 * 1024

    /// The time after a peak of connections until its memory is given back.
    static let restAfterPeak = Duration.seconds(5)

    /// Limits the heaps of all threads to about as many as there are threads with much to do.
    ///
    /// glibc makes up to eight for each processor: each thread that has little to do would hold on to one of its own.
    /// Heaps that exist already stay.
    static func limitHeaps(eventLoops: Int) {
        // It refuses no count above zero.
        _ = mallopt(M_ARENA_MAX, Int32(clamping: eventLoops + 1))
    }

    /// Keeps large blocks out of the heaps that event loops hold on to.
    ///
    /// glibc begins with the same size, but raises it to that of each mapping that is freed (mallopt(3)): bodies would
    /// then be spread over the heaps, which stay as large as they were when the most requests were under way.
    static func separateLargeBlocks() {
        // It refuses none but sizes beyond 32 MiB.
        _ = mallopt(M_MMAP_THRESHOLD, largeBlock)
    }

    /// Gives back what the heaps hold and nobody uses: glibc by itself gives back the end of a heap alone.
    ///
    /// Event loops that need memory meanwhile wait, some hundredths of a second where there is much to give back.
    static func giveBack() {
        _ = malloc_trim(0)
    }
}
