import OAuthSigning
import ParaphConfiguration
import Settings
import TestSupport
import Testing

@Suite("The admin listener's address and its token alone")
struct AdminListenerTests {
    @Test(
        "are read, whatever else the file holds",
        arguments: [
            ("listen: {admin: 127.0.0.1:9}", nil), ("# nothing", nil),
            ("listen: {admin: {address: \"127.0.0.1:9\", token: abc}}", "abc"),
            ("listen: {proxy: nonsense, admin: {address: \"127.0.0.1:9\", token: {env: TOKEN}}}", "of-variable"),
            ("enrolment: {token: def, access_types: 7}\nlisten: {admin: \"127.0.0.1:9\"}", "def"),
            ("enrolment: {token: def}", "def"), ("enrolment: {token: }", nil),
            ("apis: {x: {oauth1: {consumer_secret: {file: /no/such}}}}\nenrolment: {access_types: 7}", nil),
        ] as [(String, String?)]
    )
    func token(text: String, token: String?) throws {
        let directory = try TestDirectory()
        let file = try directory.write(text, to: "paraph.yaml")
        let listener = try Configuration.adminListener(path: file, environment: ["TOKEN": "of-variable"])
        #expect(listener?.token?.revealed() == token)
        #expect(listener?.address.host == "127.0.0.1")
    }

    @Test("are nobody's where the listener is off")
    func off() throws {
        let directory = try TestDirectory()
        let file = try directory.write("listen: {admin: off}\nenrolment: {token: {env: NONE}}", to: "paraph.yaml")
        #expect(try Configuration.adminListener(path: file, environment: [:]) == nil)
    }

    @Test(
        "have mistakes of their own",
        arguments: [
            "listen: {admin: {address: \"127.0.0.1:9\", token: {env: NONE}}}",
            "listen: {admin: {address: \"127.0.0.1:9\", token: {file: /no/such/file}}}",
            "listen: {admin: {address: \"127.0.0.1:9\", token: \"a b\"}}", "enrolment: {token: {env: NONE}}",
        ]
    )
    func mistakes(text: String) throws {
        let directory = try TestDirectory()
        let file = try directory.write(text, to: "paraph.yaml")
        let found = #expect(throws: ConfigurationMistakes.self) {
            try Configuration.adminListener(path: file, environment: [:])
        }
        #expect(found?.lines.count == 1)
        #expect(found?.lines.first?.contains("token") == true, "\(found?.lines ?? [])")
    }
}
