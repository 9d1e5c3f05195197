import Bytes
import OAuthSigning

/// The way in which some signer makes a signature: the right one at first, until a ``Deviation`` changes it.
///
/// ``Signer`` writes a base string in one pass and cannot be bent; this one is put together from parts that can.
struct SigningRecipe: Sendable {
    var method: [UInt8]
    var uri: RecipeURI
    /// The parameters of the protocol first, then the query's, then the form's, each as they were received.
    var parameters: [RecipeParameter]
    var order = ParameterOrder.encoded
    /// The escaping of names and values (RFC 5849, section 3.4.1.3.2).
    var parameterEscaping = Escaping()
    /// The escaping of the whole base string URI (RFC 5849, section 3.4.1.1).
    var uriEscaping = Escaping()
    /// The escaping of the whole parameter list, likewise.
    var listEscaping = Escaping()
    var key: KeyRecipe
    var signatureMethod: SignatureMethod

    /// The base string (RFC 5849, section 3.4.1.1).
    var baseString: [UInt8] {
        let ampersand = [UInt8(ascii: "&")]
        return Escaping().escape(method) + ampersand + uriEscaping.escape(uri.bytes) + ampersand
            + listEscaping.escape(normalizedParameters)
    }

    private var normalizedParameters: [UInt8] {
        let entries = parameters.map { parameter in
            ParameterOrder.Entry(
                parameter: parameter,
                name: parameter.isEncoded ? parameter.name : parameterEscaping.escape(parameter.name),
                value: parameter.isEncoded ? parameter.value : parameterEscaping.escape(parameter.value)
            )
        }
        return Array(order.arranged(entries).map(\.pair).joined(separator: [UInt8(ascii: "&")]))
    }
}

extension SigningRecipe {
    /// The right way to sign a request with protocol parameters that are given.
    init(
        _ request: ComparedRequest,
        protocolParameters: [RecipeParameter],
        key: KeyRecipe,
        signatureMethod: SignatureMethod
    ) {
        method = request.method.map(\.uppercasedASCII)
        uri = RecipeURI(scheme: request.scheme, authority: request.authority, target: request.target)
        parameters = protocolParameters + RecipeParameter.all(in: request.query, origin: .query)
        // A hash of a form covers it as a whole.
        if request.isForm, !protocolParameters.contains(where: { $0.nameText == BodyHash.parameterName }) {
            parameters += RecipeParameter.all(in: request.body, origin: .form)
        }
        self.key = key
        self.signatureMethod = signatureMethod
    }
}

/// The way in which some signer puts the secrets together to a key (RFC 5849, section 3.4.2).
struct KeyRecipe: Sendable {
    /// Consumer secret and token secret; one that is left out is nil.
    var secrets: (first: Secret?, second: Secret?)
    var hasAmpersand = true
    var escaping = Escaping()
    /// Indicates whether the finished key is encoded once more.
    var isEncodedAsWhole = false

    init(consumerSecret: Secret?, tokenSecret: Secret?) {
        secrets = (consumerSecret, tokenSecret)
    }

    var text: Secret {
        var text = secrets.first.map(escaped) ?? []
        if hasAmpersand { text.append(UInt8(ascii: "&")) }
        text += secrets.second.map(escaped) ?? []
        return Secret(bytes: isEncodedAsWhole ? Escaping().escape(text) : text)
    }

    private func escaped(_ secret: Secret) -> [UInt8] {
        secret.withBytes { escaping.escape($0.array) }
    }
}

/// The parts of the base string URI (RFC 5849, section 3.4.1.2), as some signer puts it together; not encoded.
struct RecipeURI: Sendable {
    var scheme: [UInt8]
    var host: [UInt8]
    /// The port, without the colon.
    var port: [UInt8]?
    var path: [UInt8]
    /// The query, which does not belong there.
    var query: [UInt8]?

    /// The right one.
    init(scheme: [UInt8], authority: [UInt8], target: [UInt8]) {
        self.scheme = scheme.map(\.lowercasedASCII)
        let (host, port) = Self.split(authority)
        self.host = host.map(\.lowercasedASCII)
        let isDefault = authority.span.countWithoutDefaultPort(of: scheme.span) < authority.count
        self.port = isDefault ? nil : port
        let path = Array(target[..<target.span.pathCount])
        self.path = path.isEmpty || path == Array("*".utf8) ? Array("/".utf8) : path
    }

    var bytes: [UInt8] {
        var bytes = scheme + Array("://".utf8) + host
        if let port { bytes += [UInt8(ascii: ":")] + port }
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        return bytes
    }

    /// Cuts the port off an authority; the colons of an IPv6 address in brackets begin none.
    static func split(_ authority: [UInt8]) -> (host: [UInt8], port: [UInt8]?) {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            !authority[colon...].contains(UInt8(ascii: "]"))
        else { return (authority, nil) }
        return (Array(authority[..<colon]), Array(authority[(colon + 1)...]))
    }
}

/// The order in which some signer puts the parameters together.
enum ParameterOrder: Sendable {
    /// The order of RFC 5849, section 3.4.1.3.2: by name, then by value, as bytes after encoding.
    case encoded
    case beforeEncoding
    case namesOnly
    /// The order of the texts `name=value`, so that the `=` takes part.
    case pairs
    case ignoringCase
    /// The order in which they stand, these before those.
    case received([ParameterOrigin])
    /// The order of the parameters of each of these by itself.
    case groups([ParameterOrigin])

    /// A parameter and what is written of it.
    struct Entry {
        let parameter: RecipeParameter
        let name: [UInt8]
        let value: [UInt8]

        var pair: [UInt8] { parameter.hasEquals ? name + [UInt8(ascii: "=")] + value : name }
    }

    func arranged(_ entries: [Entry]) -> [Entry] {
        switch self {
        case .encoded: Self.sorted(entries) { ($0.name, $0.value) }
        case .beforeEncoding: Self.sorted(entries) { ($0.parameter.name, $0.parameter.value) }
        case .namesOnly: Self.sorted(entries) { ($0.name, []) }
        case .pairs: Self.sorted(entries) { ($0.pair, []) }
        case .ignoringCase: Self.sorted(entries) { ($0.name.map(\.lowercasedASCII), $0.value) }
        case .received(let origins): Self.grouped(entries, origins)
        case .groups(let origins): Self.grouped(Self.sorted(entries) { ($0.name, $0.value) }, origins)
        }
    }

    private static func sorted(_ entries: [Entry], by key: (Entry) -> ([UInt8], [UInt8])) -> [Entry] {
        entries.map { (key: key($0), entry: $0) }
            .sorted { one, other in
                one.key.0 == other.key.0
                    ? one.key.1.lexicographicallyPrecedes(other.key.1)
                    : one.key.0.lexicographicallyPrecedes(other.key.0)
            }
            .map(\.entry)
    }

    private static func grouped(_ entries: [Entry], _ origins: [ParameterOrigin]) -> [Entry] {
        origins.flatMap { origin in entries.filter { $0.parameter.origin == origin } }
    }
}

/// The way in which some signer percent-encodes; as it stands, that of RFC 5849, section 3.6.
struct Escaping: Equatable, Sendable {
    /// The number of times that bytes are encoded: 0 leaves everything as it is, 2 encodes what is encoded already.
    var rounds = 1
    var usesLowercaseDigits = false
    var spaceIsPlus = false
    /// The bytes left alone although they are reserved.
    var unescaped: [UInt8] = []
    /// The bytes encoded although they are unreserved.
    var escaped: [UInt8] = []

    func escape(_ bytes: [UInt8]) -> [UInt8] {
        (0..<rounds).reduce(bytes) { encoded, _ in once(encoded) }
    }

    private func once(_ bytes: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for byte in bytes {
            if spaceIsPlus, byte == UInt8(ascii: " ") {
                encoded.append(UInt8(ascii: "+"))
            } else if PercentEncoding.isUnreserved(byte) ? !escaped.contains(byte) : unescaped.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, uppercase: !usesLowercaseDigits, to: &encoded)
            }
        }
        return encoded
    }
}
