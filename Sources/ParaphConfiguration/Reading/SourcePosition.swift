/// A place in the configuration file; lines and columns count from 1, columns in Unicode scalars.
package struct SourcePosition: Hashable, Sendable, Comparable {
    static let start = SourcePosition(line: 1, column: 1)

    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (one: SourcePosition, other: SourcePosition) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }
}
