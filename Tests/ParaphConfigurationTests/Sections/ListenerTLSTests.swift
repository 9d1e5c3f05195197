import Settings
import TestSupport
import Testing

@testable import ParaphConfiguration

@Suite("Listeners in clear text and with TLS")
struct ListenerTLSTests {
    private static let clients = "access: {clients: [{name: a, password: s3cr3t-password}]}\n"

    private static func warnings(_ lines: String) throws -> [String] {
        try read(Minimal.yaml + clients + lines).warnings.map { $0.line(file: "") }.filter { $0.contains("clear text") }
    }

    @Test("A listener on loopback is warned of nothing", arguments: ["127.0.0.1:1", "\"[::1]:1\"", "localhost:1"])
    func loopback(address: String) throws {
        #expect(try Self.warnings("listen: {proxy: \(address)}\n") == [])
        #expect(try Self.warnings("listen: {proxy: {address: \(address)}}\n") == [])
        #expect(try read(Minimal.yaml + "listen: {proxy: {address: 127.0.0.1:1}}\n").proxy.identity == nil)
    }

    @Test("Each listener that others reach is warned of where it stands")
    func open() throws {
        let listen = """
            listen:
              proxy: 0.0.0.0:1
              admin: {address: 0.0.0.0:2, token: s3cr3t-token}
            """
        let warnings = try Self.warnings(listen)
        #expect(warnings.count == 2)
        #expect(warnings.first?.contains("11:10: warning: listen.proxy takes passwords in clear text") == true)
        #expect(warnings.last?.contains("listen.admin.address takes its token in clear text") == true)
        #expect(!warnings.joined().contains("s3cr3t"))
    }

    @Test(
        "A certificate goes with its key",
        arguments: [
            ("certificate: a.pem", "listen.proxy lacks private_key beside certificate"),
            ("private_key: a.key", "listen.proxy lacks certificate beside private_key"),
            ("certificate: none.pem, private_key: none.key", "listen.proxy.certificate names the file"),
        ]
    )
    func halves(keys: String, expected: String) {
        let found = mistakes((Minimal.yaml + Self.clients + "listen: {proxy: {address: 0.0.0.0:1, \(keys)}}\n").utf8)
        #expect(found.contains { $0.contains(expected) }, "\(found)")
    }

    @Test("The address has to be there, and no other key")
    func address() {
        let found = mistakes((Minimal.yaml + "listen: {proxy: {adress: 127.0.0.1:1}}\n").utf8)
        #expect(found.contains { $0.contains("listen.proxy lacks address") })
        #expect(found.contains { $0.contains("did you mean address?") })
    }
}
