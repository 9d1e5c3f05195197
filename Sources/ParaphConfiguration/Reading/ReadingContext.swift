import FoundationEssentials
import Routing

/// The context that every part of the file is read with: where relative paths start, the environment, and what was
/// found so far.
final class ReadingContext {
    private let directory: String
    let environment: [String: String]
    /// The time that dates of the file are compared with.
    let now: Date
    /// The variables that secrets were looked for in.
    private(set) var secretVariables: Set<String> = []
    private(set) var mistakes: [Mistake] = []
    private(set) var advice: [Advice] = []

    /// - Parameter file: The path of the configuration file.
    init(file: String, environment: [String: String], now: Date) {
        directory = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[...$0]) } ?? ""
        self.environment = environment
        self.now = now
    }

    func report(_ message: String, at position: SourcePosition) {
        mistakes.append(Mistake(at: position, message))
    }

    /// Reports a mistake, unless that is said already of the same place: several accounts may share what is wrong.
    func reportOnce(_ message: String, at position: SourcePosition) {
        let new = Mistake(at: position, message)
        if !mistakes.contains(new) { mistakes.append(new) }
    }

    /// Reports as `reportOnce` does, but something that is no mistake.
    func advise(_ severity: Advice.Severity, _ message: String, at position: SourcePosition) {
        let new = Advice(severity, at: position, message)
        if !advice.contains(new) { advice.append(new) }
    }

    /// The value of a variable that a secret is in; `nil` when it is not set.
    func secretVariable(_ name: String) -> String? {
        secretVariables.insert(name)
        return environment[name]
    }

    /// A path of the configuration file, which is relative to the file.
    func resolve(_ path: String) -> String {
        path.hasPrefix("/") ? path : directory + path
    }
}
