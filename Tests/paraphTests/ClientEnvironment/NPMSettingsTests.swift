@testable import paraph
import Testing

@Suite("The CAs that npm's files name") struct NPMSettingsTests {
    private static let environment = ["HOME": "/home/u", "PWD": "/p/a/b", "PATH": "/bin:/opt/node/bin", "CERTS": "/c"]

    private func found(_ files: [String: String], _ environment: [String: String] = Self.environment) -> String? {
        let known = files.merging(["/c/1.pem": "", "/c/2.pem": "", "/c/3.pem": ""]) { one, _ in one }
        return NPMSettings.adding(to: environment) { known[$0].map { Array($0.utf8) } }[NPMSettings.variable]
    }

    @Test("The project's file goes before the user's, and that before the installation's")
    func order() {
        let files = [
            "/p/a/package.json": "{}", "/p/a/.npmrc": "cafile=/c/1.pem\n", "/home/u/.npmrc": "cafile=/c/2.pem\n",
            "/opt/node/etc/npmrc": "cafile=/c/3.pem\n",
        ]
        #expect(found(files) == "/c/1.pem")
        #expect(found(files.filter { $0.key != "/p/a/package.json" }) == "/c/2.pem")
        #expect(found(files.filter { $0.key.hasPrefix("/opt") }) == "/c/3.pem")
        #expect(found([:]) == nil)
    }

    @Test(
        "A value may be in quotation marks and name variables",
        arguments: [
            "cafile = \"/c/1.pem\"", " cafile=${CERTS}/1.pem  ", "a=b\r\ncafile='/c/1.pem'\r\n",
            "cafile=/c/2.pem\ncafile=/c/1.pem", ";cafile=/c/2.pem\ncafile=/c/1.pem",
        ]
    )
    func spellings(_ text: String) {
        #expect(found(["/home/u/.npmrc": text]) == "/c/1.pem")
    }

    @Test(
        "What npm would not follow is left aside",
        arguments: [
            "cafile=null", "cafile=", "cafile=/not/there.pem", "#cafile=/c/1.pem", "xcafile=/c/1.pem", "cafile",
        ]
    )
    func nothing(_ text: String) {
        #expect(found(["/home/u/.npmrc": text]) == nil)
    }

    @Test("The variable goes before the files", arguments: ["npm_config_cafile", "NPM_CONFIG_CAFILE"])
    func variable(_ name: String) {
        var environment = Self.environment
        environment[name] = "/c/3.pem"
        let changed = NPMSettings.adding(to: environment) { _ in Array("cafile=/c/1.pem".utf8) }
        #expect(changed == environment)
    }

    @Test("Other containers have none of it")
    func elsewhere() {
        #expect(NPMSettings.adding(to: [:]) { _ in Array("cafile=/c/1.pem".utf8) }.isEmpty)
    }
}
