import Files

/// The desktop's own way to open an address.
struct Browser: Sendable {
    private static let program = "xdg-open"

    private let path: String
    private let environment: [String]

    /// Finds the program that opens addresses; nil where there is none, or no desktop to open anything on.
    init?(environment: [String: String]) {
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let candidates = folders.map { "\($0)/\(Self.program)" }
        guard hasDesktop, let path = candidates.first(where: FileContents.isExecutable) else { return nil }
        self.path = path
        self.environment = environment.map { "\($0)=\($1)" }
    }

    /// Opens the browser without waiting for it: the address is printed as well.
    func open(_ address: String) {
        Task {
            _ = try? await ChildProcess.run(
                path,
                arguments: [address],
                environment: environment,
                output: "/dev/null",
                errors: "/dev/null"
            )
        }
    }
}
