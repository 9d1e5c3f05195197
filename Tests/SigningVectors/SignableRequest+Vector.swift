package import OAuthSigning

extension SignableRequest {
    /// The request of a fact, signed with just the parameters that the fact lists.
    package init?(_ vector: Vector) throws {
        guard let request = vector.request, let uri = AbsoluteURI(Array(request.url.utf8).span) else { return nil }
        let credentials = vector.credentials
        let token = vector.parameter("oauth_token") ?? credentials?.token
        try self.init(
            client: ClientCredentials(
                identifier: vector.parameter("oauth_consumer_key") ?? "",
                sharedSecret: Secret(credentials?.consumerSecret ?? ""),
                privateKey: credentials?.privateKey
            ),
            token: TokenCredentials(token: token ?? "", secret: Secret(credentials?.tokenSecret ?? "")),
            options: SigningOptions(
                signatureMethod: vector.signatureMethod.flatMap(SignatureMethod.init(rawValue:)) ?? .hmacSHA1,
                realm: vector.realm,
                placement: vector.transmission.flatMap(ParameterPlacement.init(rawValue:)) ?? .header,
                includesVersion: vector.parameter("oauth_version") == "1.0",
                omitted: vector.omitted
            )
        )
        method = Array(request.method.utf8)
        scheme = uri.scheme
        authority = request.hostHeader.map { Array($0.utf8) } ?? uri.authority
        target = uri.target
        contentType = request.contentType.map { Array($0.utf8) }
        body = request.bytes
        nonce = Array((vector.parameter("oauth_nonce") ?? "").utf8)
        timestamp = Array((vector.parameter("oauth_timestamp") ?? "").utf8)
        additional = vector.additional
    }
}

extension Vector {
    /// The parameters that the signer would send but the fact does not list.
    fileprivate var omitted: OmittedParameters {
        var omitted: OmittedParameters = []
        if parameter("oauth_consumer_key") == nil { omitted.insert(.consumerKey) }
        if parameter("oauth_signature_method") == nil { omitted.insert(.signatureMethod) }
        if parameter("oauth_nonce") == nil { omitted.insert(.nonce) }
        if parameter("oauth_timestamp") == nil { omitted.insert(.timestamp) }
        if parameter("oauth_token") == nil { omitted.insert(.token) }
        return omitted
    }

    /// The parameters that the fact lists beyond those.
    fileprivate var additional: [ProtocolParameter] {
        let own = ["oauth_consumer_key", "oauth_signature_method", "oauth_nonce", "oauth_timestamp", "oauth_token"]
        return (oauthParams ?? []).compactMap { pair in
            guard let name = pair.first, let value = pair.last, !own.contains(name) else { return nil }
            if name == "oauth_version", value == "1.0" { return nil }
            return ProtocolParameter(name: name, value: value)
        }
    }

    /// Indicates whether a provider can accept it: RFC 5849, section 3.1's parameters are there, in values it knows.
    package var isCompletelySigned: Bool {
        guard canSign, parameter("oauth_consumer_key") != nil, parameter("oauth_signature_method") != nil,
            ["1.0", nil].contains(parameter("oauth_version")),
            // A token secret without its token is nothing a provider could look up.
            parameter("oauth_token") != nil || (credentials?.tokenSecret ?? "").isEmpty
        else { return false }
        let hasTime = parameter("oauth_nonce") != nil && parameter("oauth_timestamp").flatMap(UInt64.init) != nil
        let mayOmitTime = signatureMethod == "PLAINTEXT" && parameter("oauth_timestamp") == nil
        return hasTime || mayOmitTime
    }
}

extension Vector.Credentials {
    package var privateKey: RSASigningKey? {
        get throws(SigningError) {
            guard let rsaPrivateKeyPem, !rsaPrivateKeyPem.isEmpty else { return nil }
            return try RSASigningKey(pem: Secret(rsaPrivateKeyPem))
        }
    }
}
