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
        atexit { LogSink.standardError.finish() }
        Task {
            await Paraph.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}
