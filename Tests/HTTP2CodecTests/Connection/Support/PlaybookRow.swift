import Foundation
import Testing

/// One row of a table of playbooks: setting, note, script, events and output between tabs; lines that begin with `#`
/// are headings.
struct PlaybookRow: CustomTestStringConvertible, Sendable {
    let setting: String
    let note: String
    let script: String
    let events: String
    let output: String

    var testDescription: String { note }

    /// Returns no rows if the file cannot be read, which a test of its own finds out.
    static func rows(of file: String) -> [PlaybookRow] {
        do { return try load(file) } catch { return [] }
    }

    static func load(_ file: String) throws -> [PlaybookRow] {
        let text = String(decoding: try Self.bytes(of: file, extension: "tsv"), as: UTF8.self)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 5 else { throw FrameText.Malformed(text: String(line)) }
            return PlaybookRow(
                setting: columns[0],
                note: columns[1],
                script: columns[2],
                events: columns[3],
                output: columns[4]
            )
        }
    }

    static func bytes(of file: String, extension suffix: String) throws -> [UInt8] {
        guard
            let url = Bundle.module.url(
                forResource: file,
                withExtension: suffix,
                subdirectory: "Vectors/Connection"
            )
        else { throw FrameText.Malformed(text: "no file \(file)") }
        return Array(try Data(contentsOf: url))
    }
}
