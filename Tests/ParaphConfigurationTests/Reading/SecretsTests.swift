import Crypto
import CryptoExtras
import Credentials
import FoundationEssentials
import OAuthSigning
import Settings
import SwiftASN1
import Testing
import TestSupport
import UpstreamTrust
import X509

@testable import ParaphConfiguration

@Suite("Secrets and files")
struct SecretsTests {
    private static func secret(_ value: String, environment: [String: String] = [:]) throws(ConfigurationMistakes)
        -> Secret?
    {
        try read(Minimal.yaml.replacing("s3cr3t-consumer", with: value), environment: environment).proxy.apis.first?
            .oauth1?
            .client
            .sharedSecret
    }

    @Test("are text, or come from the environment")
    func environment() throws {
        #expect(try Self.secret("\"a b\"") == Secret("a b"))
        #expect(try Self.secret("\"\"") == Secret(""))
        #expect(try Self.secret("{env: NAME_1}", environment: ["NAME_1": "x\n"]) == Secret("x\n"))
        #expect(try Self.secret("{\"env\": NAME_1}", environment: ["NAME_1": "$X"]) == Secret("$X"))
    }

    @Test(
        "from a file lose one trailing line break",
        arguments: [("a", "a"), ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("\na\r", "\na\r"), (" a ", " a ")]
    )
    func file(_ content: String, _ expected: String) throws {
        let directory = try TestDirectory()
        try directory.write(content, to: "secret")
        let file = try directory.write(
            Minimal.yaml.replacing("s3cr3t-consumer", with: "{file: secret}"),
            to: "paraph.yaml"
        )
        let configuration = try Configuration.load(path: file, environment: [:])
        #expect(configuration.proxy.apis.first?.oauth1?.client.sharedSecret == Secret(expected))
    }

    @Test(
        "that cannot be had are mistakes of their line",
        arguments: [
            ("{env: UNSET_TOKEN}", "needs the environment variable UNSET_TOKEN, which is not set"),
            (
                "{env: EMPTY}",
                "needs an environment variable (not shown, since it may be a secret), which is set but empty"
            ),
            ("{env: \"not a name\"}", "does not name an environment variable after env: (letters, digits and _)"),
            ("{env: 1A}", "does not name an environment variable after env: (letters, digits and _)"),
            ("{env: }", "must be text, {env: NAME} or {file: PATH}; env has no value that is a word"),
            ("{env: [A]}", "must be text, {env: NAME} or {file: PATH}; env has no value that is a word"),
            ("{env: A, file: B}", "must be text, {env: NAME} or {file: PATH}; keep one of env and file"),
            ("{env: A, env: B}", "must be text, {env: NAME} or {file: PATH}"),
            ("{hunter2}", "must be text, {env: NAME} or {file: PATH}"),
            ("[hunter2]", "must be text, {env: NAME} or {file: PATH}"),
            (
                "{file: /dev/does/not/exist}",
                "needs the file \"/dev/does/not/exist\", which cannot be read: there is no such file or directory"
            ),
            // It is a secret as likely as a name.
            (
                "{env: hunter2}",
                "needs an environment variable (not shown, since it may be a secret), which is not set"
            ),
            (
                "{env: JBSWY3DPEHPK3PXP}",
                "needs an environment variable (not shown, since it may be a secret), which is not set"
            ),
            ("{env: TWITTER_TOKEN_2}", "needs the environment variable TWITTER_TOKEN_2, which is not set"),
            (
                "{env: HORSE_BATTERY_STAPLE}",
                "needs an environment variable (not shown, since it may be a secret), which is not set"
            ),
            (
                "{env: HUNTER}",
                "needs an environment variable (not shown, since it may be a secret), which is not set"
            ),
            (
                "{file: correct/horse/battery}",
                "needs a file (not shown, since it may be a secret), which cannot be read: there is no such file or directory"
            ),
            (
                "{file: correct.horse}",
                "needs a file (not shown, since it may be a secret), which cannot be read: there is no such file or directory"
            ),
            (
                "{file: hunter2}",
                "needs a file (not shown, since it may be a secret), which cannot be read: there is no such file or directory"
            ),
            (
                "{file: kX9z+Q/aB3d/Zz==}",
                "needs a file (not shown, since it may be a secret), which cannot be read: there is no such file or directory"
            ),
            (
                "{file: /mounted/secrets-2/twitter.key}",
                "needs the file \"/mounted/secrets-2/twitter.key\", which cannot be read: there is no such file or directory"
            ),
            (
                #"{file: "/dev/\0hunter2"}"#,
                "needs a file (not shown, since it may be a secret), which cannot be read: there is no such file or directory"
            ),
            ("{file: /}", "needs the file \"/\", which cannot be read: it is a directory"),
            ("{file: /dev/null}", "needs the file \"/dev/null\", which is empty"),
            ("${hunter2}", "looks like a shell variable, which means nothing here; write {env: NAME}"),
            ("$NAME", "looks like a shell variable, which means nothing here; write {env: NAME}"),
            (
                "!hunter2 x",
                "has a YAML tag (a word that starts with !), which is not used here; put text that starts with ! "
                    + "in quotes"
            ),
        ]
    )
    func unavailable(_ value: String, _ message: String) {
        let found = mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: value).utf8, environment: ["EMPTY": ""])
        #expect(
            found == ["6:24: apis.t.oauth1.consumer_secret \(message)"]
                || found == ["6:26: apis.t.oauth1.consumer_secret \(message)"]
        )
    }

    @Test("without a value are mistakes of their key")
    func nothing() {
        for value in ["", "~", "null"] {
            let found = mistakes(Minimal.yaml.replacing("s3cr3t-consumer", with: value).utf8)
            #expect(found == ["6:7: apis.t.oauth1.consumer_secret has no value; give it one or remove the line"])
        }
    }

    @Test("of RSA are private keys in PEM", arguments: [SignatureMethod.rsaSHA1, .rsaSHA256, .rsaSHA512])
    func rsa(_ method: SignatureMethod) throws {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let directory = try TestDirectory()
        try directory.write(pem, to: "key.pem")
        let yaml = """
            apis:
              t:
                hosts: [api.example.com]
                oauth1: {consumer_key: key, signature_method: \(method.rawValue), private_key: {file: key.pem}}
                accounts: {default: {two_legged: on}}
            """
        let file = try directory.write(yaml, to: "paraph.yaml")
        let api = try #require(try Configuration.load(path: file, environment: [:]).proxy.apis.first)
        #expect(api.oauth1?.client.privateKey != nil)
        #expect(api.oauth1?.client.sharedSecret.isEmpty == true)
        #expect(api.oauth1?.options.signatureMethod == method)

        let inPlace = yaml.replacing("{file: key.pem}", with: "{env: KEY}")
        #expect(try read(inPlace, environment: ["KEY": pem]).proxy.apis.first?.oauth1?.client.privateKey != nil)
    }

    @Test("of the vault may be in a file that does not exist yet, but not in a bad one")
    func vaultKey() throws {
        let directory = try TestDirectory()
        let file = try directory.write("vault: {key: {file: new.key}}\n\(Minimal.yaml)", to: "paraph.yaml")
        let vault = try Configuration.load(path: file, environment: [:]).vault
        guard case .directory(path: _, key: .file("\(directory.path)/new.key")) = vault else {
            Issue.record("not the file")
            return
        }
        try directory.write("s3cr3t\n", to: "new.key")
        #expect(throws: ConfigurationMistakes.self) { try Configuration.load(path: file, environment: [:]) }
        try directory.write("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n", to: "new.key")
        _ = try Configuration.load(path: file, environment: [:])

        let inPlace = try read("vault: {key: AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=}\n\(Minimal.yaml)")
        guard case .directory(path: _, key: .value) = inPlace.vault else {
            Issue.record("not a value")
            return
        }
    }

    @Test("beside it are roots to trust, from PEM files")
    func roots() throws {
        let directory = try TestDirectory()
        try directory.write(try Self.certificate(), to: "one.pem")
        try directory.write(try Self.certificate() + Self.certificate(), to: "two.pem")
        let file = try directory.write(Minimal.withAPI("tls: {trust: [one.pem, two.pem]}"), to: "paraph.yaml")
        guard
            case .certificates(let roots)? = try Configuration.load(path: file, environment: [:]).proxy.apis.first?.tls
                .trust
        else {
            Issue.record("no certificates")
            return
        }
        #expect(roots.count == 3)
    }

    private static func certificate() throws -> String {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("root") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: .distantPast,
            notValidAfter: .distantFuture,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions { BasicConstraints.isCertificateAuthority(maxPathLength: nil) },
            issuerPrivateKey: key
        )
        return try certificate.serializeAsPEM().pemString + "\n"
    }

    @Test(
        "in the place of a key are not repeated, nor is the beginning of one before a colon",
        arguments: [
            "hunter2", "JP3PYvGT7e", "hunter2:x", "hunter2 x", "consumer_keyJP3PYvGT7eLfGo", "HUNTER", "hunter",
            "correct_hunter_battery",
        ]
    )
    func asKeys(_ secret: String) {
        let inOAuth1 = Minimal.withOAuth1("\"\(secret)\": x")
        let atTop = "\"\(secret)\": x\n" + Minimal.yaml
        for yaml in [inOAuth1, atTop] {
            let found = mistakes(yaml.utf8)
            #expect(found.count == 1 && found.allSatisfy { $0.contains("(not shown, since it may be a secret)") })
            #expect(!found.joined().lowercased().contains("hunter") && !found.joined().contains("JP3"))
        }
    }

    @Test(
        "in the place of any other word are not repeated",
        arguments: [
            Minimal.withOAuth1("hunter: x\nhunter: x"), Minimal.yaml + "hunter: {x: 1}\nhunter: {x: 1}\n",
            Minimal.withAPI("hosts: [hunter!]"), Minimal.withAPI("hosts: [\"hunter:x\"]"),
            Minimal.withAPI("tls: {trust: [hunter]}"), Minimal.withAPI("tls: {trust: [correct/hunter]}"),
            Minimal.withAPI("tls: {pinning: {mode: public_key, pins: [hunter, hunter]}}"),
            Minimal.withAPI("tls: {pinning: [{hosts: [hunter], mode: none}]}"),
            Minimal.withAPI("tls: {revocation: {crls: [hunter], on_missing: refuse}}"),
            Minimal.yaml + "access: {clients: [{name: hunter, password: a}, {name: hunter, password: b}]}\n",
            Minimal.yaml + "access: {clients: [{name: a, password: a, apis: [hunter]}]}\n",
            Minimal.yaml + "access: {clients: [{name: a, password: a, accounts: [hunter]}]}\n",
            Minimal.yaml + "enrolment: {access_types: {hunter: {api: t}}}\n",
            Minimal.yaml + "enrolment: {access_types: {0: {api: hunter}}}\n",
            "apis: {hunter: x}\n", "apis: {hunter}\n", "apis: {\"hunter 2\": {hosts: [a.example]}}\n",
            "apis: {\"hunter 2\": {hosts: [a.example]}, t: {hosts: [a.example]}}\n",
            "apis: {t: {hosts: [a.example], accounts: {hunter: x}}}\n",
            "apis: {t: {hosts: [a.example], accounts: {hunter}}}\n",
            "apis: {t: {hosts: [a.example], accounts: {\"hunter:2\": {token: x}}}}\n",
            // Words that begin with one that may stand there.
            Minimal.withAPI("upstream: \"https://bob:hunter2@a.example/\""), Minimal.withAPI("preset: discogs:hunter"),
            Minimal.withAPI("on_existing_authorization: replace Bearer hunter"),
            Minimal.withOAuth1("signature_method: HMAC-SHA1 hunter"), Minimal.yaml + "log: {level: info:hunter}\n",
            Minimal.yaml + "access: {clients: [{name: a, password: a, accounts: [\"default:hunter\"]}]}\n",
            Minimal.yaml + "enrolment: {token: x, access_types: {0: {api: \"t:hunter\"}}}\n",
            // Files that are made where they are missing.
            Minimal.yaml + "authority: {private_key: hunterMIGHAgEAMBMGByqGSM49}\n",
            Minimal.yaml + "vault: {key: {file: hunterMIGHAgEAMBMGByqGSM49}}\n",
            Minimal.yaml + "vault: {key: {file: hunter/\(String(repeating: "0a1b", count: 80))}}\n",
        ]
    )
    func asWords(_ yaml: String) {
        let found = mistakes(yaml.utf8)
        #expect(!found.isEmpty)
        #expect(!found.joined().contains("hunter"), "\(found)")
    }

    @Test("Files that are made are called by any name in a folder that is there, whatever that is called")
    func madeFiles() throws {
        let directory = try TestDirectory()
        let folder = directory("tmp.9NYJI1uTaI20261126")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for (place, isGood) in [("\(folder)/new/ca.pem", true), ("\(folder)/9NYJI1uTaI20261126", false)] {
            #expect(ShownName.isFile(place, resolved: place) == isGood)
        }
    }
}
