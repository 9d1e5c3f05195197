import Files
import ForwardProxy
import NIOCore

/// Sends the demo's request as a client that knows the proxy's address and trusts its CA, and nothing else: curl, or
/// where there is none a client of its own.
struct DemoClient {
    let entrance: DemoEntrance
    let directory: TemporaryDirectory
    /// The path of curl; nil where there is none.
    let curl: String?

    func send() async -> ClientTranscript {
        guard let path = curl else {
            return await BuiltInClient(entrance: entrance)
                .send(remark: "There is no curl on PATH: a small client inside this process sent the request.")
        }
        do {
            return try await run(path)
        } catch {
            return await BuiltInClient(entrance: entrance)
                .send(remark: "\(error): a small client inside this process sent the request.")
        }
    }

    private var command: CurlInvocation {
        CurlInvocation(
            groups: [
                ["-qsSv", "-m", "10", "--cacert", entrance.certificateFile],
                ["--data", DemoRequest.body],
                [DemoRequest.url],
            ],
            environment: ["HTTPS_PROXY=\(entrance.proxyURL)"]
        )
    }

    private func run(_ path: String) async throws -> ClientTranscript {
        let command = command
        let output = directory.file("curl.out")
        let errors = directory.file("curl.err")
        let status = try await ChildProcess.run(
            path,
            arguments: command.arguments,
            environment: command.processEnvironment,
            output: output,
            errors: errors
        )
        var transcript = ClientTranscript(verboseOutput: try await text(of: errors))
        transcript.command = command.shellLines
        transcript.sentBody = DemoRequest.body
        transcript.receivedBody = try await text(of: output)
        if status != 0 { transcript.failure = transcript.failure ?? "curl ended with \(status)" }
        return transcript
    }

    private func text(of file: String) async throws -> String {
        let bytes = try await BlockingWork.run { try FileContents.read(file) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// All that a client has to know.
struct DemoEntrance {
    let proxyAddress: SocketAddress
    /// The file of the throw-away CA's certificate, and what is in it.
    let certificateFile: String
    let certificatePEM: String

    var proxyURL: String { "http://\(proxyAddress.urlText)" }
}

/// The one request of the demo: X's documentation signs the same one.
enum DemoRequest {
    static let method = "POST"
    static let target = "/1.1/statuses/update.json?include_entities=true"
    static let body = "status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21"
    static let contentType = "application/x-www-form-urlencoded"
    static let host = "api.demo.test"

    static var url: String { "https://\(host)\(target)" }
}
