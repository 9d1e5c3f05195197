import FoundationEssentials
import OAuthSigning

@testable import Credentials

/// Vault files: a sealed file that was changed in any way does not open, any other bytes are refused, and what is
/// stored is read as it was.
///
/// The input is a byte of choice, and changes of a file of ours, a file, its plaintext, a file's name or a key.
enum VaultTarget: FuzzTarget {
    static let name = "vault"

    private static let key: VaultKey = {
        guard let key = try? VaultKey(base64: Secret(String(repeating: "A", count: 43) + "=")) else {
            fatalError("no key")
        }
        return key
    }()

    private static let sealed: [Data] = {
        let credentials = [
            StoredCredential(
                token: .oauth1(TokenCredentials(token: "t", secret: Secret("s"))),
                attributes: ["user_id": "1", "screen_name": "n"],
                obtainedAt: 5
            ),
            StoredCredential(
                token: .access(AccessToken(Secret("v"), expiresAt: 9, refreshToken: Secret("r"))),
                obtainedAt: 5,
                origin: .enrolment,
                login: PasswordCredentials(username: "u", password: Secret("p")),
                fingerprint: BindingFingerprint(key: Array(0..<16), code: Array(0..<32))
            ),
        ]
        return credentials.map {
            guard let file = try? SealedFile.seal($0, for: CredentialName(api: "a", account: "b"), under: key) else {
                fatalError("not sealed")
            }
            return file
        }
    }()

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        switch choice & 7 {
        case 0, 1: checkChanged(sealed[Int(choice & 1)], &reader)
        case 2: checkFile(Data(reader.remainder()))
        case 3: checkPlaintext(Data(reader.remainder()), version: choice >> 3 & 7)
        case 4: checkFileName(String(decoding: reader.remainder(), as: UTF8.self))
        case 5:
            let api = String(decoding: reader.stretch(), as: UTF8.self)
            checkName(CredentialName(api: api, account: String(decoding: reader.remainder(), as: UTF8.self)))
        default:
            _ = VaultKey(base64: reader.remainder().span)
        }
    }

    private static func checkChanged(_ file: Data, _ reader: inout InputReader) {
        var changed = Array(file)
        while !reader.isAtEnd {
            let place = changed.isEmpty ? 0 : Int(reader.byte()) % changed.count
            switch reader.byte() {
            case 0: changed.removeLast(min(changed.count, Int(reader.byte())))
            case 1: changed.insert(reader.byte(), at: place)
            case 2 where !changed.isEmpty: changed.remove(at: place)
            case 3: changed.append(reader.byte())
            default:
                if !changed.isEmpty { changed[place] = reader.byte() }
            }
        }
        guard changed != Array(file) else { return }
        guard let taken = try? SealedFile(Data(changed), path: "p") else { return }
        require((try? taken.open(under: key)) == nil, "a changed file was opened")
        require((try? taken.resealed(from: key, to: key)) == nil, "a changed file was sealed again")
    }

    private static func checkFile(_ bytes: Data) {
        _ = SealedFile.keyIdentifier(in: bytes)
        guard let file = try? SealedFile(bytes, path: "p") else { return }
        require((try? file.open(under: key)) == nil, "a file that was not sealed was opened")
    }

    private static func checkPlaintext(_ bytes: Data, version: UInt8) {
        guard let credential = StoredCredential(encoded: bytes, version: version) else { return }
        let copy = StoredCredential(encoded: credential.encoded(), version: StoredCredential.encodingVersion)
        require(copy == credential, "not read as it was stored")
    }

    private static func checkFileName(_ text: String) {
        guard let name = VaultFileName.name(text) else { return }
        require(VaultFileName(name).text == text, "another file's name")
    }

    private static func checkName(_ name: CredentialName) {
        let text = VaultFileName(name).text
        let isPlain = text.utf8.allSatisfy { 0x21..<0x7F ~= $0 && $0 != 0x2F }
        require(isPlain && !text.hasPrefix(".") && text.utf8.count <= 120, "a file's name: \(text)")
        if !text.hasPrefix("~") { require(VaultFileName.name(text) == name, "not told from the file's name: \(text)") }
    }
}
