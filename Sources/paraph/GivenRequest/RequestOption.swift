import ArgumentParser
import Files
import SystemPackage

/// `--request`: a request in whatever form a person has it.
struct RequestOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A file with the request, in place of METHOD and URL: an HTTP request, a curl command, a HAR or an entry of \
            one, or a line of paraph's access log; - reads it from standard input.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var request: String?

    @Option(help: ArgumentHelp("The number of the request where the file has several, from 1.", valueName: "number"))
    var entry: Int?

    func validate() throws {
        if entry != nil, request == nil { throw ValidationError("--entry belongs to --request.") }
    }

    /// The request that the option names, or else that of the arguments.
    ///
    /// - Throws: ``GivenRequestError``, ``SecretSourceError``.
    func request(method: String?, url: String?) async throws -> GivenRequest {
        guard let request else { return GivenRequest(method: method ?? "", target: url ?? "") }
        var read = try RequestText.request(await Self.read(request), entry: entry)
        if let format = read.format { read.notes.insert("Read as: \(format.name).", at: 0) }
        return read
    }

    /// - Parameter other: The value of another option that may be read from standard input.
    /// - Throws: ``ValidationError`` where there are too few arguments, or too many.
    func validate(method: String?, url: String?, besides other: String?) throws {
        if request == "-", other == "-" {
            throw ValidationError("Standard input is read once: give a file in place of one of the two -.")
        }
        switch (request, method, url) {
        case (nil, let method?, let url?) where method.contains("://") && !url.contains("/"):
            throw ValidationError("METHOD stands before URL, as in: GET https://api.example.com/path.")
        case (nil, .some, .some), (.some, nil, nil): break
        case (.some, _, _): throw ValidationError("--request has the method and the URL; leave out METHOD and URL.")
        case (nil, nil, _): throw ValidationError("Give a METHOD and a URL, or --request.")
        case (nil, .some, nil): throw ValidationError("Give a URL after the method.")
        }
    }

    private static func read(_ path: String) async throws -> [UInt8] {
        let isInput = path == "-"
        // One byte more than is taken tells that there are too many.
        let limit = RequestText.limit + 1
        do throws(Errno) {
            return try await BlockingWork.run { () throws(Errno) -> [UInt8] in
                isInput
                    ? try FileDescriptor.standardInput.readAll(limit: limit) : try FileContents.read(path, limit: limit)
            }
        } catch {
            if error == .fileTooLarge { throw GivenRequestError.tooLarge(limit: RequestText.limit) }
            throw SecretSourceError.fileNotReadable(isInput ? "standard input" : path, reason: error.reason)
        }
    }
}
