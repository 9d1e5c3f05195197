extension ScriptedUpstream {
    /// Answers the next request with 200. Runs beside a test whose request must not come, which then fails and does not
    /// hang.
    func answerNext() async throws {
        let server = try await accept()
        _ = try await server.head()
        try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
    }

    /// Answers every request with 200, and keeps the connections, until it stops.
    func answerAll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            while true {
                let server = try await accept()
                tasks.addTask {
                    while true {
                        _ = try await server.head()
                        try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
                    }
                }
            }
        }
    }
}
