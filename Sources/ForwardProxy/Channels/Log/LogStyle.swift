/// The way in which log lines are laid out.
package enum LogStyle: Equatable, Sendable {
    /// One JSON object a line.
    case json
    /// Text with the date in each line.
    case text
    /// Text for a terminal: the time of day alone.
    case terminal(isColoured: Bool)

    package var isColoured: Bool { self == .terminal(isColoured: true) }

    /// Indicates whether the date is left out.
    package var omitsDate: Bool {
        if case .terminal = self { true } else { false }
    }
}

/// The colours of a terminal that log lines have (ECMA-48, 8.3.117).
package enum LogColour {
    case dim, green, cyan, yellow, red

    package static let end: StaticString = "\u{1B}[0m"

    package var start: StaticString {
        switch self {
        case .dim: "\u{1B}[2m"
        case .green: "\u{1B}[32m"
        case .cyan: "\u{1B}[36m"
        case .yellow: "\u{1B}[33m"
        case .red: "\u{1B}[31m"
        }
    }
}
