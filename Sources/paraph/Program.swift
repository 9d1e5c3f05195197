import ArgumentParser
import Dispatch
import Glibc

/// Where the process begins.
@main
enum Program {
    static func main() {
        // Before there is another thread: the first one's mask is changed, too, as soon as it waits for the others.
        InheritedSignals.noteMask()
        UsableProcessors.limitEventLoops()
        Task {
            await Paraph.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}
