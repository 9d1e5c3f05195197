import ArgumentParser
import OAuthSigning

/// The parts that the request of `paraph explain` has besides its method and URL.
struct ExplainedContent: ParsableArguments {
    @Option(help: "The Host field, where it differs from the URL's authority.")
    var host: String?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            "A field of the request; Host and Content-Type take part in the signature. May be repeated.",
            valueName: "name: value"
        )
    )
    var field: [ExplainedField] = []

    // A body may begin with a hyphen, as a multipart one does.
    @Option(parsing: .unconditional, help: "The body. Without --content-type it is taken for a form, as curl does.")
    var data: String?

    @Option(help: ArgumentHelp("A file with the body.", valueName: "file"), completion: .file())
    var dataFile: String?

    @Option(help: "The Content-Type field.")
    var contentType: String?

    func validate() throws {
        if data != nil, dataFile != nil { throw ValidationError("Give either --data or --data-file.") }
        if contentType != nil, fieldValue("Content-Type") != nil {
            throw ValidationError("Content-Type is given twice.")
        }
        if host != nil, fieldValue("Host") != nil { throw ValidationError("Host is given twice.") }
    }

    /// The value of the first field of that name.
    func fieldValue(_ name: String) -> String? {
        field.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The Content-Type that is sent.
    var mediaType: String? {
        let hasBody = data != nil || dataFile != nil
        return contentType ?? fieldValue("Content-Type") ?? (hasBody ? "application/x-www-form-urlencoded" : nil)
    }

    func body() throws(SecretSourceError) -> [UInt8]? {
        if let dataFile { return try GivenFile.read(dataFile) }
        return data.map { Array($0.utf8) }
    }
}

/// A field of a request, given as `Name: value`.
struct ExplainedField: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":"), colon > argument.startIndex else { return nil }
        name = String(argument[..<colon])
        let value = argument[argument.index(after: colon)...]
        self.value = String(value.drop { $0 == " " || $0 == "\t" })
    }
}
