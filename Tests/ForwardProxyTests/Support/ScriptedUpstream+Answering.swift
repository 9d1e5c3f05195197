extension ScriptedUpstream {
    /// Answers the next request with 200. Beside a test whose request must not come, so that it fails and does not
    /// hang.
    func answerNext() async throws {
        let server = try await accept()
        _ = try await server.head()
        try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
    }
}
