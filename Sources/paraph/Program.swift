import ArgumentParser
import Dispatch
import ForwardProxy
import Glibc

/// Where the process begins.
@main
enum Program {
    static func main() {
        // Before there is another thread: the first one's mask is changed, too, as soon as it waits for the others.
        InheritedSignals.noteMask()
        UsableProcessors.limitEventLoops()
        // What is logged last is often why the process ends.
        atexit(finishLog)
        Task {
            await Paraph.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

/// Called on whichever thread ends the process: of no actor, unlike a closure in `main`.
private func finishLog() { LogSink.standardError.finish() }
