package import FoundationEssentials

/// Times as they are told to a person: RFC 3339, UTC, whole seconds.
package enum UTCText {
    package static func format(_ date: Date) -> String { Date.ISO8601FormatStyle().format(date) }
}
