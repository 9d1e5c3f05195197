import ArgumentParser
import Dispatch
import ForwardProxy
import Glibc

/// The beginning of the process.
@main
enum Program {
    static func main() {
        // Before there is another thread: the first one's mask is changed, too, as soon as it waits for the others.
        InheritedSignals.noteMask()
        UsableProcessors.limitEventLoops()
        // What is logged last is often why the process ends.
        atexit(finishLog)
        Task {
            await run()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }

    /// As the library's own `main`, whose messages may have what somebody else wrote as it came.
    private static func run() async {
        do {
            var command = try await Paraph.asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let message = Paraph.fullMessage(for: error)
            let code = Paraph.exitCode(for: error)
            guard !message.isEmpty else { exit(code.rawValue) }
            if code.isSuccess { StandardOutput.write(message + "\n") } else { StandardError.print(message) }
            exit(code.rawValue)
        }
    }
}

/// Called on whichever thread ends the process: of no actor, unlike a closure in `main`.
private func finishLog() { LogSink.standardError.finish() }
