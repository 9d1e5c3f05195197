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
        guard let scalar = node.scalar, scalar.isPlain else { return false }
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
            reportAtKey("has no value; give it one or remove the line")
            return nil
        }
        guard !scalar.hasForeignTag else {
            report("has a YAML tag (a word that starts with !), which is not used here")
            return nil
        }
        return scalar.text
    }

    /// The items of a list; `nil` when it is none.
    func items() -> [Value]? {
        guard case .sequence(let sequence) = node.content else {
            report("must be a list, like [a, b], not \(kind)")
            return nil
        }
        return sequence.enumerated().map { place, item in
            Value(node: item, keyPosition: item.position, path: "\(path)[\(place)]", context: context)
        }
    }

    /// The keys and values of a mapping; `nil` when it is none.
    func section() -> Section? {
        guard !isNull else {
            reportAtKey("is empty")
            return nil
        }
        guard case .mapping(let mapping) = node.content else {
            report("must be a mapping (key: value), not \(kind)")
            return nil
        }
        return Section(mapping, of: self)
    }

    /// Returns what `section` does, but nothing is as good as an empty mapping.
    func sectionOrEmpty() -> Section? {
        isNull ? Section([], of: self) : section()
    }

    func member(_ key: String, _ node: YAMLNode, keyPosition: SourcePosition) -> Value {
        let name = PrintableText(key, limit: 64, escapesQuotes: false).description
        return Value(
            node: node,
            keyPosition: keyPosition,
            path: path.isEmpty ? name : "\(path).\(name)",
            context: context
        )
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

    /// - Parameter name: As which a mistake names the file.
    func bytes(ofFile path: String, shownAs name: String) -> [UInt8]? {
        do throws(Errno) {
            return try context.contents(ofFile: path, limit: 4 << 20)
        } catch {
            let isTooLarge = error == .fileTooLarge
            report("names \(name), which \(isTooLarge ? "is larger than 4MiB" : "cannot be read: \(error.reason)")")
            return nil
        }
    }
}
