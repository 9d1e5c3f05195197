import Files
import FoundationEssentials
import Routing
import SystemPackage

/// The context that every part of the file is read with: where relative paths start, the environment, and what was
/// found so far.
final class ReadingContext {
    private let directory: String
    let environment: [String: String]
    /// The text of the file, where it is at hand.
    let source: YAMLText?
    /// The time that dates of the file are compared with.
    let now: Date
    private let waitsForWriters: Bool
    /// The secrets that are written in files, this one or others.
    private(set) var secretPlaces: [SecretPlace] = []
    /// The variables that secrets were looked for in.
    private(set) var secretVariables: Set<String> = []
    /// The files that were read, or looked for, as they were before that.
    private(set) var files: [SeenFile] = []
    /// A hash of what is in each file that was read.
    private var contentMarks: [String: Int] = [:]
    private(set) var mistakes: [Mistake] = []
    private(set) var advice: [Advice] = []

    /// - Parameters:
    ///   - file: The path of the configuration file.
    ///   - source: Its text, for advice on what YAML makes nothing of.
    ///   - waitsForWriters: Whether to wait for whoever writes into the FIFOs that files are.
    init(
        file: String,
        source: YAMLText? = nil,
        environment: [String: String],
        now: Date,
        waitsForWriters: Bool
    ) {
        directory = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[...$0]) } ?? ""
        self.source = source
        self.environment = environment
        self.now = now
        self.waitsForWriters = waitsForWriters
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

    func note(_ place: SecretPlace) {
        secretPlaces.append(place)
    }

    /// The value of a variable that a secret is in; `nil` when it is not set.
    func secretVariable(_ name: String) -> String? {
        secretVariables.insert(name)
        return environment[name]
    }

    /// Reads a file that the configuration names.
    ///
    /// - Throws: `Errno.fileTooLarge` when there are more bytes than `limit`.
    func contents(ofFile path: String, limit: Int) throws(Errno) -> [UInt8] {
        if !files.contains(where: { $0.path == path }) { files.append(SeenFile(path)) }
        let bytes = try FileContents.read(path, limit: limit, waitsForWriter: waitsForWriters)
        contentMarks[path] = bytes.hashValue
        return bytes
    }

    /// Returns a hash of what is in a file; `nil` when none of that name was read.
    func contentMark(of name: String) -> Int? { contentMarks[resolve(name)] }

    /// A path of the configuration file, which is relative to the file.
    func resolve(_ path: String) -> String {
        path.hasPrefix("/") ? path : directory + path
    }
}
