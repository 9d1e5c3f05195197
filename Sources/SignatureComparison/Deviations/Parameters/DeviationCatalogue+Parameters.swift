import Bytes
import OAuthSigning

// What happens to one parameter of several, and parameters that come from elsewhere; each is tried alone.
extension DeviationCatalogue {
    var parameterDeviations: [Deviation] { oneDeviations + foreignDeviations + sentTimeDeviations }

    /// The number of parameters that are looked at by themselves: the request may be a stranger's.
    private static let mostParameters = 16

    private var oneDeviations: [Deviation] {
        let indices = reference.parameters.indices.filter { reference.parameters[$0].origin != .protocol }
        guard indices.count > 1 else { return [] }
        func value(_ change: @escaping @Sendable (String) -> String) -> @Sendable (inout RecipeParameter) -> Void {
            { $0.value = $0.value.changed(change) }
        }
        func encoded(_ value: @escaping @Sendable ([UInt8]) -> [UInt8]) -> @Sendable (inout RecipeParameter) -> Void {
            {
                ($0.name, $0.value) = (PercentEncoding.encode($0.name), value($0.value))
                $0.isEncoded = true
            }
        }
        let form = Escaping(spaceIsPlus: true)
        let changes: [(ComparisonCause, String, @Sendable (inout RecipeParameter) -> Void)] = [
            (.doubleEncoding, "encoded the value of %@ twice", { $0.value = PercentEncoding.encode($0.value) }),
            (.missingEncoding, "did not encode the value of %@", encoded { $0 }),
            (
                .decodedTwice, "decoded the value of %@ twice",
                { $0.value = PercentEncoding.decodeLeniently($0.value.span) }
            ),
            (.plusForSpace, "wrote a space in the value of %@ as +, as forms do", encoded { form.escape($0) }),
            (
                .plusForSpace, "took a plus sign (+) in the value of %@ for a space",
                value { $0.replacing("+", with: " ") }
            ),
            (
                .lowercaseHex, "encoded the value of %@ with lower-case digits",
                encoded { Escaping(usesLowercaseDigits: true).escape($0) }
            ),
            (.valueCase, "turned the value of %@ into lower case", value { $0.lowercased() }),
            (.valueCase, "turned the value of %@ into upper case", value { $0.uppercased() }),
            (.valueTrimmed, "trimmed the white space (blanks, line ends) of the value of %@", value { $0.trimmed }),
            (.markup, "escaped the value of %@ for HTML", value { Markup.escaped($0) }),
            (.markup, "resolved the HTML entities in the value of %@", value { Markup.unescaped($0) }),
            (.valueQuoted, "signed the value of %@ in quotation marks", value { "\"\($0)\"" }),
            (.valueQuoted, "signed the value of %@ in single quotation marks", value { "'\($0)'" }),
            (.valueEscaped, "signed the value of %@ as Base64", value { Base64.encode($0.bytes.span).text }),
            (.valueEmpty, "signed an empty value of %@", value { _ in "" }),
            (.valueType, "signed the word null as the value of %@", value { _ in "null" }),
            (.valueType, "signed the word undefined as the value of %@", value { _ in "undefined" }),
            (.objectAsText, "signed [object Object] as the value of %@", value { _ in "[object Object]" }),
            (
                .characterSet, "encoded the value of %@ in ISO-8859-1 (Latin-1)",
                { parameter in
                    if let text = String(validating: parameter.value, as: UTF8.self),
                        let bytes = CodePage.latin1.encode(text)
                    {
                        parameter.value = bytes
                    }
                }
            ),
            (
                .characterSet,
                "read the UTF-8 of the value of %@ as ISO-8859-1 (Latin-1) and wrote it as UTF-8 again (mojibake)",
                { $0.value = CodePage.latin1.decode($0.value).bytes }
            ),
            (
                .equalsMissing, "signed %@ as a name without = and value (a flag)",
                {
                    $0.value = []; $0.hasEquals = false
                }
            ),
            (
                .nameCase, "wrote the name %@ with a small first letter (its case)",
                { $0.name = $0.name.changed { $0.prefix(1).lowercased() + $0.dropFirst() } }
            ),
            (
                .nameCase, "wrote the name %@ with a capital first letter (its case)",
                { $0.name = $0.name.changed { $0.prefix(1).uppercased() + $0.dropFirst() } }
            ),
            (.nameCase, "wrote the name %@ in lower case", { $0.name = $0.name.changed { $0.lowercased() } }),
        ]
        return indices.prefix(Self.mostParameters).flatMap { index in
            let name = reference.parameters[index].nameText
            return changes.map { cause, words, change in
                Deviation(cause, "The other side \(words.replacing("%@", with: name)), and of this parameter alone.") {
                    if index < $0.parameters.count { change(&$0.parameters[index]) }
                }
                .of(.values, isRare: true)
            }
        }
    }

    /// Fields of the header, identifiers and parts of the path that were signed as parameters.
    private var foreignDeviations: [Deviation] {
        let own = Dictionary(reference.parameters.map { ($0.nameText, $0.valueText) }) { first, _ in first }
        let (key, token) = (own["oauth_consumer_key"] ?? "", own["oauth_token"] ?? "")
        let type = request.contentType?.text ?? "application/x-www-form-urlencoded"
        let (host, uri) = (reference.uri.host.text, reference.uri.bytes.text)
        var pairs = [
            ("Content-Type", type), ("Content-Type", "application/json"), ("content-type", type),
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Accept", "application/json"), ("Accept", "*/*"), ("accept", "application/json"), ("Host", host),
            ("host", host),
            ("Content-Length", String(request.body.count)), ("Accept-Encoding", "gzip"),
            ("Accept-Encoding", "gzip, deflate"), ("Connection", "keep-alive"),
            ("X-Requested-With", "XMLHttpRequest"),
        ].map { ($0.0, $0.1, "a field of the header") }
        pairs += ["api_key", "apikey", "apiKey", "key", "consumer_key", "client_id", "app_id", "oauth_key"].map {
            ($0, key, "the consumer key")
        }
        pairs += ["access_token", "token", "auth_token", "oauth_access_token"].map { ($0, token, "the token") }
        pairs += ["url", "uri", "endpoint", "baseUrl"].map { ($0, uri, "the URI (URL)") }
        pairs += ["PUT", "PATCH", "DELETE", "put", "patch", "delete"].map { ("_method", $0, "a framework's method") }
        pairs += [
            ("format", "xml", "a framework's"), ("_format", "json", "a framework's"), ("utf8", "\u{2713}", "Rails'"),
            ("alt", "json", "a client's"),
            ("commit", "Save", "Rails'"), ("method", reference.method.text, "the method"),
            ("http_method", reference.method.text, "the method"),
            ("nojsoncallback", "1", "Flickr's"), ("oauth_signature_method", "", "the protocol's"),
            ("ids[]", "", "an empty array"),
            ("submit", "Submit", "a button"), ("submit", "", "a button"),
        ]
        let segments = Self.segments(reference.uri.path).map(\.text)
        for (index, segment) in segments.enumerated().suffix(8) where index > 0 {
            let parent = segments[index - 1]
            let single = parent.hasSuffix("s") ? String(parent.dropLast()) : parent
            pairs += [
                "\(single)Id", "\(single)_id", "\(single)ID", single, "\(parent)Id", "\(parent)_id", parent, "name",
                "slug", "uuid", "version",
            ]
            .map { ($0, segment, "a segment of the path") }
        }
        let arrays = Set(own.keys.filter { $0.hasSuffix("[]") || $0.hasSuffix("]") }).sorted().prefix(8).map {
            ($0, "", "an empty element of the array")
        }
        return (pairs + arrays).map { name, value, words in
            let added = RecipeParameter(name: name.bytes, value: value.bytes, origin: .query)
            return Deviation(
                .parameterAdded,
                "The other side signed \(name)=\"\(value)\", \(words), which is not sent as a parameter."
            ) {
                $0.parameters.append(added)
            }
            .of(.selection, isRare: true)
        }
    }

    /// A time that was written twice, once finer or in another time zone, and names of the protocol's parameters.
    private var sentTimeDeviations: [Deviation] {
        func sent(_ name: String, _ sentence: String, _ change: @escaping @Sendable (inout RecipeParameter) -> Void)
            -> Deviation
        {
            Deviation(.parameterValue, sentence) { recipe in
                for index in recipe.parameters.indices
                where recipe.parameters[index].origin == .protocol && recipe.parameters[index].nameText == name {
                    change(&recipe.parameters[index])
                }
            }
            .of(.sent, isRare: true)
        }
        let time = "oauth_timestamp"
        guard let sentTime = reference.parameters.first(where: { $0.nameText == time })?.valueText,
            let seconds = Int(sentTime), seconds < 1 << 40
        else { return [] }
        let finer = (0..<1000).map { number -> Deviation in
            let digits = String(repeating: "0", count: 3 - String(number).count) + String(number)
            return sent(
                time,
                "The other side signed oauth_timestamp in milliseconds (\(sentTime)\(digits)), and sent seconds."
            ) { $0.value += digits.bytes }
        }
        let zones = (-28...28).filter { $0 != 0 }.map { half in
            let other = String(seconds + half * 1800)
            return sent(
                time,
                "The other side signed oauth_timestamp \(other), \(abs(half) * 30) minutes from what it sent: a time zone was taken for the other."
            ) { $0.value = other.bytes }
        }
        let hash = reference.signatureMethod.hashAlgorithm.function
        let hashes: [(String, [UInt8])] = [
            ("in hexadecimal digits", Hexadecimal.encode(hash.hash(request.body)).bytes),
            ("of an empty body", Base64.encode(hash.hash([]).span)),
            ("of an empty body, in hexadecimal digits", Hexadecimal.encode(hash.hash([])).bytes),
            ("as SHA1", Base64.encode(DigestFunction.sha1.hash(request.body).span)),
            ("as SHA256", Base64.encode(DigestFunction.sha256.hash(request.body).span)),
            ("percent-encoded", PercentEncoding.encode(Base64.encode(hash.hash(request.body).span))),
        ]
        let bodies = hashes.map { words, value in
            sent("oauth_body_hash", "The other side signed an oauth_body_hash \(words), and sent another.") {
                $0.value = value
            }
        }
        let later = (31...120).flatMap { [-$0, $0] }.map { distance in
            let other = String(seconds + distance)
            return sent(
                "oauth_timestamp",
                "The other side signed oauth_timestamp \(other), but sent \(sentTime): it takes the time twice, and must take it once."
            ) { $0.value = other.bytes }
        }
        let nonce = sent("oauth_nonce", "The other side signed the timestamp as oauth_nonce.") {
            $0.value = sentTime.bytes
        }
        let names = [
            ("oauth_token", "oauth_access_token"), ("oauth_token", "oauth_token_key"),
            ("oauth_consumer_key", "oauth_key"), ("oauth_consumer_key", "oauth_client_key"),
            ("oauth_consumer_key", "oauth_consumer"), ("oauth_consumer_key", "oauth_api_key"),
            ("oauth_signature_method", "oauth_method"),
            ("oauth_signature_method", "oauth_signaturemethod"), ("oauth_signature_method", "oauth_sig_method"),
            ("oauth_timestamp", "oauth_time"),
            ("oauth_timestamp", "oauth_timstamp"), ("oauth_nonce", "oauth_once"), ("oauth_version", "oauth_ver"),
            ("oauth_consumer_key", "oauth_customer_key"),
        ].map { name, other in
            Deviation(.protocolNames, "The other side signed \(name) under the name \(other).") { recipe in
                for index in recipe.parameters.indices where recipe.parameters[index].nameText == name {
                    recipe.parameters[index].name = other.bytes
                }
            }
            .of(.sent, isRare: true)
        }
        let swapped = Deviation(
            .parameterValue,
            "The other side signed consumer key and token exchanged (swapped), each as the other."
        ) { recipe in
            let places = ["oauth_consumer_key", "oauth_token"].map { name in
                recipe.parameters.firstIndex { $0.nameText == name }
            }
            guard let key = places[0], let token = places[1] else { return }
            (recipe.parameters[key].value, recipe.parameters[token].value) = (
                recipe.parameters[token].value, recipe.parameters[key].value
            )
        }
        .of(.sent, isRare: true)
        let addresses: [(String, (String) -> String)] = [
            ("with a slash behind it", { $0 + "/" }), ("without its query", { String($0.prefix { $0 != "?" }) }),
            ("with http", { $0.replacing("https://", with: "http://") }),
            ("with https", { $0.replacing("http://", with: "https://") }),
            ("without the slash behind it", { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }),
        ]
        let callbacks = addresses.map { words, change -> Deviation in
            let value =
                reference.parameters.first { $0.nameText == "oauth_callback" }.map { change($0.valueText).bytes } ?? []
            return sent("oauth_callback", "The other side signed oauth_callback \(words), and sent it otherwise.") {
                $0.value = value
            }
        }
        return [nonce, swapped] + names + callbacks + bodies + zones + later + finer
    }
}
