import Bytes
import FoundationEssentials

extension JSONText {
    /// RFC 3339 in UTC, in whole seconds.
    static func time(_ date: Date) -> JSONText { .string(Date.ISO8601FormatStyle().format(date)) }

    static func time(_ date: Date?) -> JSONText { date.map { .time($0) } ?? .null }
    static func string(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
    static func integer(_ number: Int?) -> JSONText { number.map { .integer($0) } ?? .null }
    static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }
}
