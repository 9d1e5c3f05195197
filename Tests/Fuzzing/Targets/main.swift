import CLibFuzzer
import Glibc

// The name of the fuzz target is in the environment, since libFuzzer hands its whole command line to the processes that
// it starts for `-merge` and `-fork`.
_ = Selection.target
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        Selection.target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
)
