import Glibc
import SystemPackage

/// Starts programs by posix_spawn(3). The one place for the pointers that it reads, which live until it has returned.
struct ProgramStart {
    /// The program's standard streams.
    enum Streams {
        /// This process's own.
        case inherited
        /// An empty input; what the program writes goes to files that are made anew.
        case files(output: String, errors: String)
    }

    /// Bytes as the system has them, as are the arguments and the environment: neither need be UTF-8.
    var path: [UInt8]
    /// The arguments, with the name that the program is called by as the first.
    var arguments: [[UInt8]]
    /// The environment, `NAME=value`, and nothing else is passed on.
    var environment: [[UInt8]]
    var streams: Streams
    /// The signals that it ignores and has blocked; every other one does to it what the system says.
    var signals: InheritedSignals
    /// The open files that it gets besides its standard streams. Nil: those that are not marked to be closed.
    var descriptors: Set<Int32>?

    /// - Returns: The process, which has to be waited for.
    func start() throws(Errno) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch streams {
        case .inherited: break
        case .files(let output, let errors):
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        if let descriptors {
            // Closed by the program itself, and with some to spare: other threads open files meanwhile.
            let end = min((OpenDescriptors.all().max() ?? STDERR_FILENO) + 64, Self.descriptorLimit)
            for descriptor in (STDERR_FILENO + 1)..<max(end, STDERR_FILENO + 1) where !descriptors.contains(descriptor)
            {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in InheritedSignals.all where !signals.ignores(signal) { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // The threads of a pool have signals blocked, which the program would inherit.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in InheritedSignals.all where signals.blocks(signal) { sigaddset(&blocked, signal) }
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let pathPointer = Self.pointer(path)
        let argumentPointers = arguments.map(Self.pointer)
        let environmentPointers = environment.map(Self.pointer)
        defer { for pointer in [pathPointer] + argumentPointers + environmentPointers { free(pointer) } }
        guard let pathPointer else { throw Errno(rawValue: ENOMEM) }
        var process: pid_t = 0
        let problem = posix_spawn(
            &process,
            pathPointer,
            &actions,
            &attributes,
            argumentPointers + [nil],
            environmentPointers + [nil]
        )
        guard problem == 0 else { throw Errno(rawValue: problem) }
        return process
    }

    /// posix_spawn(3) fails on numbers above it.
    private static var descriptorLimit: Int32 {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int32(clamping: limit.rlim_cur)
    }

    /// A copy that ends with a byte 0, to be freed.
    private static func pointer(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        strdup((bytes + [0]).map(CChar.init(bitPattern:)))
    }
}
