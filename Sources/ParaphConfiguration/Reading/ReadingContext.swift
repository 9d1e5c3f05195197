import Routing

/// What every part of the file is read with: where relative paths start, the environment, and the mistakes so far.
final class ReadingContext {
    private let directory: String
    let environment: [String: String]
    private(set) var mistakes: [Mistake] = []
    private(set) var warnings: [Mistake] = []
    /// Keys that are written again in the same mapping.
    var renamedKeys: [RenamedKey] = []

    /// - Parameter file: the path of the configuration file.
    init(file: String, environment: [String: String]) {
        directory = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[...$0]) } ?? ""
        self.environment = environment
    }

    func report(_ message: String, at position: SourcePosition) {
        mistakes.append(Mistake(at: position, message))
    }

    func warn(_ message: String, at position: SourcePosition) {
        warnings.append(Mistake(at: position, message))
    }

    /// A path of the configuration file, which is relative to the file.
    func resolve(_ path: String) -> String {
        path.hasPrefix("/") ? path : directory + path
    }
}
