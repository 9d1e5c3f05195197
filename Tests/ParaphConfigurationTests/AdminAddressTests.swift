import ParaphConfiguration
import Settings
import TestSupport
import Testing

@Suite("The admin listener's address alone")
struct AdminAddressTests {
    @Test(
        "is read, whatever else the file holds",
        arguments: [
            ("listen: {admin: 127.0.0.1:9}", ListenAddress(host: "127.0.0.1", port: 9)),
            ("listen: {admin: \"[::]:9\"}", ListenAddress(host: "::", port: 9)),
            ("listen: {admin: 0.0.0.0:9}", ListenAddress(host: "0.0.0.0", port: 9)),
            (
                "listen: {proxy: nonsense, admin: {address: \"0.0.0.0:9\", token: {file: /no/such/file}}}",
                ListenAddress(host: "0.0.0.0", port: 9)
            ),
            ("listen: {admin: off}", nil),
            ("listen: {proxy: 127.0.0.1:1}", ListenAddress(host: "127.0.0.1", port: 8081)),
            ("listen:", ListenAddress(host: "127.0.0.1", port: 8081)),
            ("apis: {x: {hots: 1}}\nlisten: {admin: localhost:0}", ListenAddress(host: "localhost", port: 0)),
            ("# nothing", ListenAddress(host: "127.0.0.1", port: 8081)),
        ] as [(String, ListenAddress?)]
    )
    func address(text: String, address: ListenAddress?) throws {
        let directory = try TestDirectory()
        let file = try directory.write(text, to: "paraph.yaml")
        #expect(try Configuration.adminAddress(path: file) == address)
    }

    @Test(
        "has mistakes of its own",
        arguments: [
            ("listen: {admin: nonsense}", ":1:17: listen.admin "), ("listen: {admin: on}", ":1:17: listen.admin must"),
            ("listen: {admin: {token: a}}", ":1:10: listen.admin lacks address"), ("listen: [", ":2:1: "),
            ("- a", ":1:1: "), ("listen: a", ":1:9: listen must be a mapping"),
        ]
    )
    func mistakes(text: String, mistake: String) throws {
        let directory = try TestDirectory()
        let file = try directory.write(text + "\n", to: "paraph.yaml")
        let found = #expect(throws: ConfigurationMistakes.self) { try Configuration.adminAddress(path: file) }
        #expect(found?.lines.count == 1)
        #expect(found?.lines.first?.hasPrefix(file + mistake) == true, "\(found?.lines ?? [])")
    }

    @Test("of a file that is not there cannot be told")
    func noFile() throws {
        let directory = try TestDirectory()
        let found = #expect(throws: ConfigurationMistakes.self) {
            try Configuration.adminAddress(path: directory("gone.yaml"))
        }
        #expect(found?.lines.first?.contains("cannot be read") == true)
    }
}
