import ArgumentParser
import Bytes
import OAuthSigning

/// The request of `paraph explain` and `paraph verify`, but for a method and a URL of their own.
struct ExplainedContent: ParsableArguments {
    @Option(help: "The Host field, where it differs from the URL's authority, or where the URL is a path alone.")
    var host: String?

    @Option(help: "The scheme, https or http, where the URL is a path alone. Otherwise https.")
    var scheme: URIScheme?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            "A field of the request; Host and Content-Type take part in the signature. May be repeated.",
            valueName: "name: value"
        )
    )
    var field: [RequestField] = []

    // A body may begin with a hyphen, as a multipart one does.
    @Option(parsing: .unconditional, help: "The body. Without --content-type it is taken for a form, as curl does.")
    var data: String?

    @Option(help: ArgumentHelp("A file with the body.", valueName: "file"), completion: .file())
    var dataFile: String?

    @Option(help: "The Content-Type field.")
    var contentType: String?

    func validate() throws {
        // The library would repeat it, which may be a secret.
        if field.contains(where: \.name.isEmpty) {
            throw ValidationError("A --header has no colon behind its name: write it as 'Name: value'.")
        }
        if data != nil, dataFile != nil { throw ValidationError("Give either --data or --data-file.") }
        if contentType != nil, fieldValue("Content-Type") != nil {
            throw ValidationError("Content-Type is given twice.")
        }
        if host != nil, fieldValue("Host") != nil { throw ValidationError("Host is given twice.") }
    }

    /// The value of the first field of that name that an option gives.
    func fieldValue(_ name: String) -> String? {
        field.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Returns a request with what the options say in the place of what it has.
    ///
    /// - Throws: ``SecretSourceError``, ``GivenRequestError``.
    func applied(to request: GivenRequest) async throws -> GivenRequest {
        var request = request
        for name in Set(field.map { $0.name.lowercased() }) {
            request.fields.removeAll { $0.name.lowercased() == name }
        }
        request.fields += field
        if let host { request.replace("Host", host) }
        if let body = try await body() {
            request.body = body
            if let data, data.hasPrefix("@") {
                request.notes.append(
                    "--data takes the text itself, so that the @ is part of the body. --data-file reads a file."
                )
            }
            if request.fieldValue("Content-Type") == nil {
                request.replace("Content-Type", "application/x-www-form-urlencoded")
            }
        }
        if let contentType { request.replace("Content-Type", contentType) }
        if let missing = request.missingBody, request.body == nil {
            let type = request.fieldValue("Content-Type") ?? ""
            if isFormMediaType(Array(type.utf8).span) { throw GivenRequestError.bodyMissing(missing) }
            request.notes.append(missing)
        }
        if let scheme {
            guard request.target.hasPrefix("/") else { throw GivenRequestError.schemeTwice(url: request.target) }
            request.scheme = scheme
        }
        return request
    }

    private func body() async throws(SecretSourceError) -> [UInt8]? {
        if let dataFile { return try await GivenFile.read(dataFile) }
        return data.map { Array($0.utf8) }
    }
}

extension RequestField: ExpressibleByArgument {
    /// - Parameter argument: `Name: value`; of what is none the name is empty.
    init?(argument: String) {
        self = RequestField(line: argument) ?? RequestField(name: "", value: argument)
    }

    /// - Parameter line: `Name: value`.
    init?(line: String) {
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
        let value = line[line.index(after: colon)...]
        // A secret is known by its field's name.
        let name = line[..<colon].trimmingPrefix { $0 == " " || $0 == "\t" }
        guard !name.contains(" ") || name.hasSuffix(" ") else { return nil }
        self.init(
            name: String(name.prefix { $0 != " " && $0 != "\t" }),
            value: String(value.drop { $0 == " " || $0 == "\t" })
        )
    }
}

extension URIScheme: ExpressibleByArgument {}
