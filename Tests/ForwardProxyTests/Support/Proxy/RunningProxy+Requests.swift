extension RunningProxy {
    /// A request for the API of the tests, in absolute-form.
    ///
    /// - Parameters:
    ///   - account: The value of Paraph-Account; nil: none is sent.
    ///   - fields: Further field lines, each with its line feed.
    static func request(
        _ method: String = "GET",
        _ path: String = "/",
        account: String? = nil,
        fields: String = "",
        body: String = ""
    ) -> String {
        let name = account.map { "Paraph-Account: \($0)\n" } ?? ""
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\n"
        return "\(method) http://api.test\(path) HTTP/1.1\nHost: api.test\n\(name)\(fields)\(length)\n\(body)"
    }

    /// The answer to a GET.
    func get(_ path: String = "/", account: String? = nil) async throws -> Message {
        try await answer(to: Self.request("GET", path, account: account))
    }

    /// Returns a client at an address of its own, which has sent a GET for a port of the API of the tests.
    func get(port: Int, from address: String) async throws -> Wire {
        let client = try await Wire.connect(from: address, port: self.port)
        try await client.send("GET http://api.test:\(port)/ HTTP/1.1\nHost: api.test:\(port)\n\n")
        return client
    }

    /// The answers to as many GETs at once, each on a connection of its own.
    func gets(_ count: Int, account: String? = nil) async throws -> [Message] {
        try await withThrowingTaskGroup(of: Message.self) { tasks in
            for _ in 0..<count { tasks.addTask { try await get(account: account) } }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
    }
}
