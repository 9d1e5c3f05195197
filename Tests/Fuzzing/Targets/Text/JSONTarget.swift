import FoundationEssentials
import NIOCore

@testable import AccessLogText
@testable import Bytes
@testable import Credentials
@testable import OAuthSigning

/// JSON: what the reader takes Foundation takes as well, with the same texts; what the writers write is read as the
/// same text; a line of a batch is answered with a line of JSON; and a document is told from the beginning of one.
///
/// The input is a byte of choice and the text.
enum JSONTarget: FuzzTarget {
    static let name = "json"

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        let bytes = reader.remainder()
        switch choice & 3 {
        case 0: checkReader(bytes)
        case 1: checkWriters(bytes)
        case 2: checkBeginning(bytes)
        default: checkBatch(bytes)
        }
    }

    private static func checkReader(_ bytes: [UInt8]) {
        guard let members = JSONObject(bytes)?.members else { return }
        // Foundation takes zero bytes for another encoding.
        let hasOthers = members.contains { $0.value == .other } || bytes.contains(0)
        guard !hasOthers else { return }
        let others: [String: AnyJSON]
        do {
            others = try JSONDecoder().decode([String: AnyJSON].self, from: Data(bytes))
        } catch {
            // It refuses half a surrogate pair, and our reader leaves out the member that has one for a name.
            let hasSurrogates = String(decoding: bytes, as: UTF8.self).lowercased().contains("\\ud")
            return require(hasSurrogates, "Foundation does not read it: \(error)")
        }
        for (name, value) in members where members.count(where: { $0.name == name }) == 1 {
            guard case .text(let text) = value else { continue }
            guard case .text(let other)? = others[name] else {
                fatalError("\(self.name): no text there for Foundation")
            }
            require(text.utf8.elementsEqual(other.utf8), "another text for Foundation")
        }
    }

    private static func checkWriters(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let line = JSONText.object([(key: text, value: .string(text))]).line
        require(line.unicodeScalars.allSatisfy(\.isPrintable), "not printable: \(line.debugDescription)")
        require(isText(text, JSONObject(Array(line.utf8))?[text]), "written as \(line)")
        var buffer = ByteBuffer(string: "{\"a\":")
        buffer.writeJSON(bytes: bytes)
        buffer.writeString("}")
        let written = String(buffer: buffer)
        require(isText(text, JSONObject(Array(written.utf8))?["a"]), "written as \(written)")
        require(written.unicodeScalars.allSatisfy(\.isPrintable), "not printable: \(written.debugDescription)")
    }

    private static func isText(_ text: String, _ value: JSONObject.Value?) -> Bool {
        if case .text(let read)? = value { read.utf8.elementsEqual(text.utf8) } else { false }
    }

    private static func checkBeginning(_ bytes: [UInt8]) {
        guard let beginning = JSONBeginning(bytes) else {
            return require(JSONObject(bytes) == nil, "an object without a beginning")
        }
        _ = ErrorJSON(beginning.value)
        require(beginning.isWhole || JSONObject(bytes) == nil, "something is missing of a whole object")
        guard let cut = JSONBeginning(bytes.dropLast()), let last = bytes.last else { return }
        let isMissing = last != 0x20 && last != 0x09 && last != 0x0A && last != 0x0D
        require(!(beginning.isWhole && isMissing && cut.isWhole), "nothing is missing without the last byte")
    }

    private static func checkBatch(_ bytes: [UInt8]) {
        let answer = BatchAnswer.answer(to: bytes)
        let object = JSONObject(Array(answer.utf8))
        require(object != nil && !answer.contains("\n"), "answered \(answer)")
    }
}
