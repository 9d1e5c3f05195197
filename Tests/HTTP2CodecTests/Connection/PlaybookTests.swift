import Testing

@Suite struct PlaybookTests {
    static let files = ["frames", "streams", "messages", "settings", "windows", "sending", "endings", "peer"]

    @Test(arguments: Self.files)
    func `The table can be read`(_ file: String) throws {
        #expect(try PlaybookRow.load(file).count > 5)
    }

    @Test(arguments: Self.files.flatMap(PlaybookRow.rows))
    func `A connection answers as the table says`(_ row: PlaybookRow) throws {
        var playbook = try Playbook(row.setting)
        try playbook.play(row.script)
        #expect(playbook.events.joined(separator: "; ") == row.events, "\(row.script)")
        #expect(playbook.output.joined(separator: "; ") == row.output, "\(row.script)")
    }

    /// TCP and TLS cut where they like.
    @Test(arguments: Self.files.flatMap(PlaybookRow.rows))
    func `It makes no difference that bytes come one by one`(_ row: PlaybookRow) throws {
        var playbook = try Playbook(row.setting, byByte: true)
        try playbook.play(row.script)
        #expect(playbook.events.joined(separator: "; ") == row.events, "\(row.script)")
        #expect(playbook.output.joined(separator: "; ") == row.output, "\(row.script)")
    }
}
