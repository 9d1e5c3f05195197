import Bytes
import Credentials
import Files
import FoundationEssentials
import OAuthSigning
import SystemPackage
import UpstreamTrust
import X509

/// A value of the file: its node, where it stands, and its full name for messages.
struct Value {
    let node: YAMLNode
    /// The place of its key, or of the value itself when it has none.
    let keyPosition: SourcePosition
    /// `apis.twitter.hosts[0]` in printable characters; empty for the whole file.
    let path: String
    let context: ReadingContext
    /// The keys and names that lead to it, lists left out.
    var steps: [Step] = []

    struct Step {
        /// The name in printable characters.
        let name: String
        /// Indicates whether the person has chosen it.
        let isNamed: Bool
    }

    var position: SourcePosition { node.position }

    /// Reports a mistake of this value: `message` follows the value's name.
    func report(_ message: String) {
        context.report("\(path.isEmpty ? "the configuration" : path) \(message)", at: position)
    }

    func advise(_ severity: Advice.Severity, _ message: String) {
        context.advise(severity, "\(path) \(message)", at: position)
    }

    func adviseAtKey(_ severity: Advice.Severity, _ message: String) {
        context.advise(severity, "\(path) \(message)", at: keyPosition)
    }

    func reportAtKey(_ message: String) {
        context.report("\(path.isEmpty ? "the configuration" : path) \(message)", at: keyPosition)
    }

    /// No value, or `null` or `~`.
    var isNull: Bool {
        guard let scalar = node.scalar, scalar.isPlain, !scalar.hasForeignTag else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }

    /// The text of a scalar, as it is written; `nil` for a list or a mapping.
    var scalar: String? { node.scalar?.text }

    var isList: Bool {
        if case .sequence = node.content { true } else { false }
    }

    var isMapping: Bool {
        node.isMapping
    }

    /// The kind of value that was found, without a word of it.
    private var kind: String {
        switch node.content {
        case .scalar: isNull ? "nothing" : "a single value"
        case .mapping: "a mapping (key: value)"
        case .sequence: "a list"
        }
    }

    /// A scalar as it is written, whether YAML would take it for a number, a switch or text: `consumer_key: 012345`
    /// needs no quotes.
    func text() -> String? {
        guard let scalar = node.scalar else {
            report("must be a single value, not \(kind)")
            return nil
        }
        guard !isNull else {
            reportAtKey(
                context.source?.hasComment(after: position) == true
                    ? "has no value, for what follows # is a comment; give it one, or put one that starts with # "
                        + "in quotes"
                    : "has no value; give it one or remove the line"
            )
            return nil
        }
        guard !scalar.hasForeignTag else {
            report(
                "has a YAML tag (a word that starts with !), which is not used here; put text that starts with "
                    + "! in quotes"
            )
            return nil
        }
        if scalar.isPlain, ForeignCharacter.quotes(scalar.text) {
            advise(
                .warning,
                "stands between typographic quotation marks, which are a part of the value to YAML; write \" or ' "
                    + "instead"
            )
        }
        return scalar.text
    }

    /// The items of a list; `nil` when it is none.
    func items() -> [Value]? {
        guard case .sequence(let sequence) = node.content else {
            let isDash = node.scalar?.isPlain == true && scalar?.hasPrefix("-") == true
            report("must be a list, like [a, b], not \(kind)\(isDash ? "; is the blank missing after the dash?" : "")")
            return nil
        }
        return sequence.enumerated().map { place, item in
            Value(
                node: item,
                keyPosition: item.position,
                path: "\(path)[\(place)]",
                context: context,
                steps: steps
            )
        }
    }

    /// The keys and values of a mapping; `nil` when it is none.
    ///
    /// - Parameter advice: The advice on what is to be written, for the person who is told.
    func section(or advice: String? = nil) -> Section? {
        let more = advice.map { "; \($0)" } ?? ""
        guard !isNull else {
            reportAtKey("is empty\(more)")
            return nil
        }
        guard case .mapping(let mapping) = node.content else {
            report("must be a mapping (key: value), not \(kind)\(slip.map { "; \($0)" } ?? more)")
            return nil
        }
        return Section(mapping, of: self)
    }

    /// Returns what `section` does, but nothing is as good as an empty mapping.
    func sectionOrEmpty() -> Section? {
        if isNull { return Section([], of: self) }
        let isSwitch = scalar.flatMap(Value.switchState) != nil
        return section(or: isSwitch ? "write {}, which may hold nothing" : nil)
    }

    /// Words on what has probably made text of a mapping.
    private var slip: String? {
        guard let scalar = node.scalar, scalar.isPlain else { return nil }
        if let character = ForeignCharacter.blank(in: scalar.text) {
            return "it holds \(character), which is none to YAML: type a blank instead"
        }
        let key = scalar.text.prefix { $0 != ":" }
        return key.endIndex < scalar.text.endIndex && SettingWords.isKey(String(key))
            ? "is the blank missing after the colon?" : nil
    }

    /// - Parameter isNamed: Whether the key is a name that the person has chosen.
    func member(_ key: String, _ node: YAMLNode, keyPosition: SourcePosition, isNamed: Bool = false) -> Value {
        let name = PrintableText(key, limit: 64, escapesQuotes: false).description
        return Value(
            node: node,
            keyPosition: keyPosition,
            path: path.isEmpty ? name : "\(path).\(name)",
            context: context,
            steps: steps + [Step(name: name, isNamed: isNamed)]
        )
    }

    /// The section that it is, as ``SettingWords`` calls it.
    var sectionName: String { steps.map { $0.isNamed ? "NAME" : $0.name }.joined(separator: ".") }

    /// A section, by the names that lead to this value as far as these are the same.
    func named(_ section: String) -> String {
        let words = section.split(separator: ".").map(String.init)
        let shared = zip(words, steps).prefix { word, step in step.isNamed ? word == "NAME" : word == step.name }
        return (shared.map(\.1.name) + words.dropFirst(shared.count)).joined(separator: ".")
    }
}

extension Value {
    /// A secret that the field Authorization can carry after `Bearer`.
    func bearerToken() -> Secret? {
        guard let token = secret() else { return nil }
        guard HeaderTemplate.bearer.value(token: token) != nil else {
            report("must be visible ASCII without blanks, for it is sent as Authorization: Bearer TOKEN")
            return nil
        }
        return token
    }
}

extension Value {
    /// `YYYY-MM-DD`: the first moment after that day, in UTC.
    func endOfDay() -> Date? {
        guard let text = text() else { return nil }
        let style = Date.ISO8601FormatStyle().year().month().day()
        // What is written again otherwise is a day that the calendar does not have.
        guard let day = try? style.parse(text), style.format(day) == text else {
            report("is no date; write year, month and day, like 2031-06-01")
            return nil
        }
        return day.addingTimeInterval(86_400)
    }
}

extension Value {
    /// The certificates of a PEM file that is named; `nil` when a mistake was reported.
    func certificates() -> [Certificate]? {
        guard let name = word() else { return nil }
        let path = context.resolve(name)
        guard let bytes = bytes(ofFile: path, shownAs: ShownName.file(name, resolved: path)) else { return nil }
        do {
            return try PEMCertificates.parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            report("names \(ShownName.file(name, resolved: path)): \(error)")
            return nil
        }
    }

    /// - Parameter name: The name that the file has in the sentence on a mistake.
    func bytes(ofFile path: String, shownAs name: String) -> [UInt8]? {
        do throws(Errno) {
            return try context.contents(ofFile: path, limit: 4 << 20)
        } catch {
            report("names \(name), which \(Self.problem(error, of: scalar ?? "", limit: "4MiB"))")
            return nil
        }
    }
}
