import Bytes

/// The arguments of curl, and the request that it makes of them.
struct CurlArguments {
    private var urls: [String] = []
    private var method: String?
    private var isGet = false
    private var isHead = false
    private var isForm = false
    private var isJSON = false
    private var upload: String?
    private var body: [UInt8]?
    /// The data that is joined to the query of the URL.
    private var query: [[UInt8]] = []
    /// The file that a part of the body is in.
    private var bodyFile: String?
    private var fields: [RequestField] = []
    /// Names of fields that are not sent.
    private var removed: Set<String> = []
    private var hasCredentials = false
    private var isGlobbed = true
    private var keepsPath = false
    private var defaultScheme = "http"

    /// - Parameter words: Those behind `curl`.
    /// - Throws: ``GivenRequestError/malformed(_:_:)``.
    init(_ words: some Sequence<[UInt8]>) throws(GivenRequestError) {
        var words = Array(words)[...]
        var takesOptions = true
        while let word = words.popFirst() {
            let text = String(decoding: word, as: UTF8.self)
            if takesOptions, text == "--" {
                takesOptions = false
            } else if takesOptions, text.hasPrefix("--") {
                try take(String(text.dropFirst(2)), written: text, from: &words)
            } else if takesOptions, text.hasPrefix("-"), text != "-" {
                try take(letters: text.dropFirst(), from: &words)
            } else {
                urls.append(text)
            }
        }
    }

    /// Takes options of one letter each, the last of which may have its value in the same word.
    private mutating func take(letters: Substring, from words: inout ArraySlice<[UInt8]>) throws(GivenRequestError) {
        var rest = letters
        while let letter = rest.popFirst() {
            guard let name = CurlOptions.name(of: letter) else { throw Self.unknown("-\(letter)") }
            if !rest.isEmpty, CurlOptions.takesValue(name) == true {
                return try apply(name, written: "-\(letter)", value: Array(rest.utf8))
            }
            try take(name, written: "-\(letter)", from: &words)
        }
    }

    private mutating func take(
        _ name: String,
        written: String,
        from words: inout ArraySlice<[UInt8]>
    ) throws(GivenRequestError) {
        guard let takesValue = CurlOptions.takesValue(name) else { throw Self.unknown(written) }
        var value: [UInt8] = []
        if takesValue {
            guard let next = words.popFirst() else { throw Self.fault("\(written) has no value behind it.") }
            value = next
        }
        try apply(name, written: written, value: value)
    }

    /// Does what an option says, if that has to do with what is signed.
    private mutating func apply(_ name: String, written: String, value: [UInt8]) throws(GivenRequestError) {
        let text = String(decoding: value, as: UTF8.self)
        switch name {
        case "url": urls.append(text)
        case "request": method = text
        case "get": isGet = true
        case "head": isHead = true
        case "header": try takeField(text)
        case "data", "data-ascii", "data-binary": takeData(value, mayBeFile: true)
        case "data-raw": takeData(value, mayBeFile: false)
        case "data-urlencode": takeData(encoding: value)
        case "json":
            isJSON = true
            takeData(value, mayBeFile: true, separator: [])
        case "url-query":
            if value.first == UInt8(ascii: "+") {
                query.append(Array(value.dropFirst()))
            } else {
                guard let pair = Self.encoded(value) else { throw Self.fileFault(written, text) }
                query.append(pair)
            }
        case "form", "form-string": isForm = true
        case "upload-file": upload = text
        case "user", "oauth2-bearer", "netrc", "netrc-file", "netrc-optional": hasCredentials = true
        case "user-agent": fields.append(RequestField(name: "User-Agent", value: text))
        case "referer": fields.append(RequestField(name: "Referer", value: text))
        case "globoff": isGlobbed = false
        case "path-as-is": keepsPath = true
        case "proto-default": defaultScheme = text
        case "config", "next", "aws-sigv4", "request-target", "variable":
            throw Self.fault("with \(written) it is more than one request, or another one than its words say.")
        default: break
        }
    }

    private mutating func takeField(_ text: String) throws(GivenRequestError) {
        if text.hasPrefix("@") { throw Self.fileFault("--header", text) }
        if let field = RequestField(line: text) {
            if field.value.isEmpty {
                removed.insert(field.name.lowercased())
            } else {
                fields.append(field)
            }
        } else if text.hasSuffix(";") {
            fields.append(RequestField(name: String(text.dropLast()), value: ""))
        }
    }

    private mutating func takeData(_ value: [UInt8], mayBeFile: Bool, separator: [UInt8] = [UInt8(ascii: "&")]) {
        guard !mayBeFile || value.first != UInt8(ascii: "@") else {
            bodyFile = String(decoding: value.dropFirst(), as: UTF8.self)
            return
        }
        body = body.map { $0 + separator + value } ?? value
    }

    private mutating func takeData(encoding value: [UInt8]) {
        guard let pair = Self.encoded(value) else {
            bodyFile = String(decoding: value, as: UTF8.self)
            return
        }
        takeData(pair, mayBeFile: false)
    }

    /// Returns a value in which curl encodes what stands behind the first `=`, or all of it; nil for one from a file.
    private static func encoded(_ value: [UInt8]) -> [UInt8]? {
        guard let equals = value.firstIndex(of: UInt8(ascii: "=")) else {
            return value.contains(UInt8(ascii: "@")) ? nil : PercentEncoding.encode(value)
        }
        let content = PercentEncoding.encode(value[(equals + 1)...])
        return equals == value.startIndex ? content : value[...equals] + content
    }

    private static func fault(_ sentence: String) -> GivenRequestError { .malformed(.curl, sentence) }

    private static func unknown(_ option: String) -> GivenRequestError {
        // What stands behind it may be a password.
        let option = String(option.prefix { $0 != "=" })
        return fault(
            "its option \(PrintableText(option, limit: 40)) is not known, nor whether the next word belongs to it; leave it out "
                + "if it has nothing to do with the request."
        )
    }

    private static func fileFault(_ option: String, _ value: String) -> GivenRequestError {
        fault(
            "\(option) \(PrintableText(value, limit: 100)) reads a file, and no file is read because a command says so: write "
                + "in its place what it holds."
        )
    }
}

extension CurlArguments {
    /// The request that curl makes.
    ///
    /// - Throws: ``GivenRequestError/malformed(_:_:)`` where it makes none, or several.
    func request() throws(GivenRequestError) -> GivenRequest {
        guard let url = urls.first else { throw Self.fault("it has no URL.") }
        guard urls.count == 1 else {
            // Not shown: one of them may be a part of a password.
            throw Self.fault(
                "it has \(urls.count) URLs, or words that no option takes: put in quotes what has blanks, and give one request "
                    + "at a time."
            )
        }
        if isGet, let bodyFile { throw Self.fileFault("--get with --data", bodyFile) }
        var request = GivenRequest(format: .curl, method: sentMethod, target: "")
        request.target = target(url, &request.notes)
        request.fields = fields.filter { !removed.contains($0.name.lowercased()) }
        addBody(to: &request)
        if hasCredentials, request.fieldValue("Authorization") == nil {
            request.notes.append(
                "The user, password or token that curl would send is left out: a signature stands in the same field."
            )
        }
        return request
    }

    private var sentMethod: String {
        if let method { return method }
        if isHead { return "HEAD" }
        if isGet { return "GET" }
        if upload != nil { return "PUT" }
        return body != nil || bodyFile != nil || isForm ? "POST" : "GET"
    }

    /// The URL with what curl joins to it.
    private func target(_ written: String, _ notes: inout [String]) -> String {
        var (url, hadUser) = Self.withoutUser(written)
        if hadUser { notes.append("User and password of the URL are left out: curl sends them in a field.") }
        if !url.contains("://") {
            url = "\(defaultScheme)://\(url)"
            notes.append("The URL has no scheme; curl takes \(defaultScheme) for it.")
        }
        let path = url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
        if isGlobbed, path.contains(where: { "{[".contains($0) }) {
            notes.append(
                "Without --globoff curl takes {…} and […] of a URL for several URLs; here they stand for themselves."
            )
        }
        if !keepsPath, path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            notes.append("Without --path-as-is curl takes /./ and /../ out of the path; here they are kept.")
        }
        let data = isGet && !isForm ? body.map { [$0] } ?? [] : []
        let joined = (query + data).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "&")
        guard !joined.isEmpty else { return url }
        let fragment = url.drop { $0 != "#" }
        let whole = url.prefix { $0 != "#" }
        let separator = whole.hasSuffix("?") || whole.hasSuffix("&") ? "" : whole.contains("?") ? "&" : "?"
        return whole + separator + joined + fragment
    }

    /// Returns a URL without its user and password.
    private static func withoutUser(_ url: String) -> (url: String, hadUser: Bool) {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return (url, false) }
        return (String(url[..<start] + url[url.index(after: at)...]), true)
    }

    private func addBody(to request: inout GivenRequest) {
        func setType(_ type: String) {
            let isSaid = request.fieldValue("Content-Type") != nil || removed.contains("content-type")
            if !isSaid { request.fields.append(RequestField(name: "Content-Type", value: type)) }
        }
        if isForm {
            setType("multipart/form-data")
            request.missingBody =
                "The body is a multipart one, which curl makes anew each time: it takes no part in a signature, unless "
                + "oauth_body_hash does."
        } else if let upload {
            request.missingBody = "The body is in the file \(upload): give it with --data-file."
        } else if !isGet, body != nil || bodyFile != nil {
            setType(isJSON ? "application/json" : "application/x-www-form-urlencoded")
            request.body = body
            if let bodyFile {
                request.missingBody = Self.fileSentence(bodyFile)
                request.body = nil
            }
        }
    }

    private static func fileSentence(_ file: String) -> String {
        "It is in a file (@\(file.drop { $0 == "@" })), and no file is read because a command says so: give it as it is sent, "
            + "with --data-file."
    }
}
