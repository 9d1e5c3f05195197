import Glibc

/// Takes secrets out of this process's own environment, where `ps` and `/proc/PID/environ` show them to whatever runs
/// as the same user. The one place of that memory, which is the process's from its start to its end.
enum VariableWiping {
    /// Wipes variables, before other threads look at the environment.
    static func wipe(_ names: some Sequence<String>) {
        for name in names {
            if let value = getenv(name) { memset(value, 0, strlen(value)) }
            unsetenv(name)
        }
    }

    /// The same while other threads look at the environment: the values are overwritten, and the variables stay, empty,
    /// for to take them out moves the others.
    static func blank(_ names: some Sequence<String>) {
        for name in names {
            if let value = getenv(name) { memset(value, 0, strlen(value)) }
        }
    }
}
