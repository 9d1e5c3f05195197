import CBuild

/// The version of the program, and the build that it comes from.
enum BuildInformation {
    /// The one place that has the version: packages are named after it.
    static let version = "0.1.0"

    /// The beginning of the commit's name, with `-modified` where files differed from it; `unknown` where the build was
    /// not told.
    static var commit: String { String(cString: paraph_commit()) }

    static var configuration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    /// The line that `paraph --version` prints.
    static var line: String { "paraph \(version) (commit \(commit), \(configuration))" }
}
