/// The settings that npm takes from its files (npmrc(5)), as far as the CAs are concerned that it trusts.
enum NPMSettings {
    static let variable = "npm_config_cafile"

    /// Returns the environment with the variable that says what the files do, so that a bundle can be made for it in
    /// place of that: what the files name stands in place of all that Node trusts, of `NODE_EXTRA_CA_CERTS` too.
    ///
    /// - Parameter read: The bytes of a file; nil when it cannot be read.
    static func adding(to environment: [String: String], read: (String) -> [UInt8]?) -> [String: String] {
        guard environment[variable] == nil, environment[variable.uppercased()] == nil,
            let path = caFile(environment, read), read(path) != nil
        else { return environment }
        return environment.merging([variable: path]) { present, _ in present }
    }

    /// The first of the files that names one counts: the project's, the user's, and that of the installation.
    private static func caFile(_ environment: [String: String], _ read: (String) -> [UInt8]?) -> String? {
        let project = environment["PWD"].flatMap { directory in
            parents(of: directory).first { read("\($0)/package.json") != nil } ?? directory
        }
        let user = environment["npm_config_userconfig"] ?? environment["HOME"].map { "\($0)/.npmrc" }
        let installations = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasSuffix("/bin") }
        let global =
            environment["npm_config_globalconfig"].map { [$0] } ?? installations.map { "\($0.dropLast(4))/etc/npmrc" }
        for path in [project.map { "\($0)/.npmrc" }, user].compactMap({ $0 }) + global {
            guard let bytes = read(path) else { continue }
            if let value = value(of: "cafile", in: String(decoding: bytes, as: UTF8.self), environment) { return value }
        }
        return nil
    }

    /// The directory itself, and those above it.
    private static func parents(of directory: String) -> [String] {
        var parents = [directory]
        while let slash = parents.last?.lastIndex(of: "/"), let last = parents.last, slash > last.startIndex {
            parents.append(String(last[..<slash]))
        }
        return parents
    }

    private static func value(of key: String, in text: String, _ environment: [String: String]) -> String? {
        let values = text.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }
            guard parts.count == 2, parts[0].prefix(while: { !$0.isWhitespace }) == key else { return nil }
            let value = String(parts[1].reversed().drop { $0.isWhitespace }.reversed())
            let isQuoted = value.count > 1 && ["\"", "'"].contains(value.first) && value.last == value.first
            return expanded(isQuoted ? String(value.dropFirst().dropLast()) : value, environment)
        }
        return values.last { !$0.isEmpty && $0 != "null" }
    }

    /// `${NAME}` stands for a variable.
    private static func expanded(_ text: String, _ environment: [String: String]) -> String {
        text.replacing(#/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/#) { environment[String($0.output.1)] ?? String($0.output.0) }
    }
}
