package import FoundationEssentials
import OAuthSigning

/// The plaintext of a vault file: the time (8 bytes), the origin (1), the kind of token (1), the token, whether there
/// is a login (1), the login, the number of attributes (2), each attribute's name and value in the order of the names,
/// whether there is a fingerprint (1), and the fingerprint's key (16) and code (32).
///
/// Texts and secrets are their length (4 bytes) and their bytes. A token of OAuth 1.0a is token and secret; an access
/// token is its value, the time it expires (8 bytes, 0: not known), the refresh token (empty: none), and how often that
/// may be sent (1).
///
/// Version 3 did not tell how often; version 2 had no fingerprint either; version 1 had the time, token, secret and
/// attributes alone.
extension StoredCredential {
    /// The version of ``encoded()``.
    package static let encodingVersion: UInt8 = 4

    private static let origins: [(UInt8, CredentialOrigin)] = [(0, .exchange), (1, .login), (2, .enrolment)]

    private enum Kind: UInt8 {
        case oauth1 = 0
        case access = 1
    }

    /// The caller wipes it.
    package func encoded() -> Data {
        // Room for all of it at once: growing would leave copies of the secrets behind.
        var data = Data(capacity: encodedCount)
        data.append(bigEndian: obtainedAt)
        data.append(Self.origins.first { $0.1 == origin }?.0 ?? 0)
        switch token {
        case .oauth1(let credentials):
            data.append(Kind.oauth1.rawValue)
            data.append(text: credentials.token)
            data.append(secret: credentials.secret)
        case .access(let access):
            data.append(Kind.access.rawValue)
            data.append(secret: access.value)
            data.append(bigEndian: access.expiresAt ?? 0)
            data.append(secret: access.refreshToken ?? Secret(""))
            data.append(access.refreshTokenUse.rawValue)
        }
        data.append(login == nil ? 0 : 1)
        if let login {
            data.append(text: login.username)
            data.append(secret: login.password)
        }
        data.append(bigEndian: UInt16(clamping: attributes.count))
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }).prefix(Int(UInt16.max)) {
            data.append(text: name)
            data.append(text: value)
        }
        data.append(fingerprint == nil ? 0 : 1)
        if let fingerprint { data.append(contentsOf: fingerprint.key + fingerprint.code) }
        return data
    }

    private var encodedCount: Int {
        let secretCount = { (secret: Secret) in 4 + secret.withBytes { $0.count } }
        var count = 8 + 1 + 1 + 1 + 2 + 1 + BindingFingerprint.keyCount + BindingFingerprint.codeCount
        switch token {
        case .oauth1(let credentials): count += 4 + credentials.token.utf8.count + secretCount(credentials.secret)
        case .access(let access):
            count += secretCount(access.value) + 8 + secretCount(access.refreshToken ?? Secret("")) + 1
        }
        if let login { count += 4 + login.username.utf8.count + secretCount(login.password) }
        return attributes.reduce(count) { $0 + 8 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// - Parameter version: The version of the file.
    package init?(encoded bytes: Data, version: UInt8) {
        var reader = ByteReader(bytes)
        guard let obtainedAt = reader.number(UInt64.self) else { return nil }
        var origin = CredentialOrigin.exchange
        var kind = Kind.oauth1
        if version > 1 {
            guard let originNumber = reader.number(UInt8.self), let kindNumber = reader.number(UInt8.self),
                let known = Self.origins.first(where: { $0.0 == originNumber })?.1,
                let knownKind = Kind(rawValue: kindNumber)
            else { return nil }
            origin = known
            kind = knownKind
        }
        guard let token = reader.token(kind == .oauth1, version: version) else { return nil }
        var login: PasswordCredentials?
        if version > 1 {
            guard let hasLogin = reader.number(UInt8.self), hasLogin <= 1 else { return nil }
            if hasLogin == 1 {
                guard let username = reader.text(), let password = reader.secret() else { return nil }
                login = PasswordCredentials(username: username, password: password)
            }
        }
        guard let attributes = reader.attributes() else { return nil }
        var fingerprint: BindingFingerprint?
        if version > 2 {
            guard let hasFingerprint = reader.number(UInt8.self), hasFingerprint <= 1 else { return nil }
            if hasFingerprint == 1 {
                guard let key = reader.take(BindingFingerprint.keyCount),
                    let code = reader.take(BindingFingerprint.codeCount)
                else { return nil }
                fingerprint = BindingFingerprint(key: Array(key), code: Array(code))
            }
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            token: token,
            attributes: attributes,
            obtainedAt: obtainedAt,
            origin: origin,
            login: login,
            fingerprint: fingerprint
        )
    }
}

extension Data {
    package mutating func append(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    fileprivate mutating func append(text: String) {
        append(bigEndian: UInt32(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append(secret: Secret) {
        secret.withBytes { bytes in
            append(bigEndian: UInt32(bytes.count))
            for index in bytes.indices { append(bytes[index]) }
        }
    }
}

extension ByteReader {
    fileprivate mutating func text() -> String? {
        guard let count = number(UInt32.self), let bytes = take(Int(count)) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    fileprivate mutating func secret() -> Secret? {
        guard let count = number(UInt32.self), var bytes = take(Int(count)) else { return nil }
        defer { bytes.wipe() }
        return Secret(bytes: bytes)
    }

    fileprivate mutating func token(_ isOAuth1: Bool, version: UInt8) -> AccountToken? {
        if isOAuth1 {
            guard let token = text(), let secret = secret() else { return nil }
            return .oauth1(TokenCredentials(token: token, secret: secret))
        }
        guard let value = secret(), let expiresAt = number(UInt64.self), let refreshToken = secret() else { return nil }
        var use = RefreshTokenUse.once
        if version > 3 {
            guard let known = number(UInt8.self).flatMap(RefreshTokenUse.init) else { return nil }
            use = known
        }
        return .access(
            AccessToken(
                value,
                expiresAt: expiresAt == 0 ? nil : expiresAt,
                refreshToken: refreshToken.isEmpty ? nil : refreshToken,
                refreshTokenUse: use
            )
        )
    }

    fileprivate mutating func attributes() -> [String: String]? {
        guard let count = number(UInt16.self) else { return nil }
        var attributes: [String: String] = [:]
        for _ in 0..<count {
            guard let name = text(), let value = text() else { return nil }
            attributes[name] = value
        }
        return attributes
    }
}
