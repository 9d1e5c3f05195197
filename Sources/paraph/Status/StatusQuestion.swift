import AdminServer
import ArgumentParser
import Bytes
import FoundationEssentials
import NIOCore
import NIOPosix
import Settings

/// One question to an admin listener: what the proxy tells of itself.
struct StatusQuestion {
    /// The answer is not what was asked for.
    struct Failure: Error, CustomStringConvertible {
        let exitCode: ExitCode
        let description: String
    }

    /// The most bytes of an answer, of some 300 for each account and API.
    private static let limit = 64 << 20

    let listener: AdminListenerSettings
    /// The time for the whole question: connecting, asking and the answer.
    let timeout: TimeAmount

    /// Returns the JSON text of a ``ServiceStatus``.
    func answer() async throws(Failure) -> String {
        // The shared group would have a thread for each processor.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let result: Result<String, Failure>
        do throws(Failure) {
            result = .success(try await answer(on: group))
        } catch {
            result = .failure(error)
        }
        try? await group.shutdownGracefully()
        return try result.get()
    }

    private func answer(on group: any EventLoopGroup) async throws(Failure) -> String {
        let address = listener.address
        let answer: PlainRequest.Answer
        do {
            answer = try await PlainRequest.get(
                "/status",
                from: address,
                token: listener.token,
                limit: Self.limit,
                timeout: timeout,
                on: group
            )
        } catch {
            throw Failure(
                exitCode: .unavailable,
                description: "no proxy answers at \(address) (listen.admin): \(error). Start one: paraph run"
            )
        }
        guard answer.field("Server") == "paraph" else {
            throw Failure(
                exitCode: .unavailable,
                description: "another program listens at \(address) (listen.admin)"
            )
        }
        guard answer.status == 200 else { throw refusal(answer) }
        guard answer.field("Content-Length") == "\(answer.body.utf8.count)" else {
            throw Failure(exitCode: .unavailable, description: "the answer of \(address) ended too early")
        }
        return answer.body
    }

    private func refusal(_ answer: PlainRequest.Answer) -> Failure {
        let isRefused = [401, 403].contains(answer.status)
        var words = condensed(answer.body, limit: 300)
        if case .text(let message) = JSONObject(Array(answer.body.utf8))?["message"] {
            words = condensed(message, limit: 300)
        }
        return Failure(
            exitCode: isRefused ? .refused : .unavailable,
            description: "the proxy at \(listener.address) answers \(answer.status): \(words)"
        )
    }
}

extension ServiceStatus {
    /// Reads a status; nil for what is none, as this version knows it.
    init?(jsonText: String) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        guard let status = try? decoder.decode(Self.self, from: Data(jsonText.utf8)) else { return nil }
        self = status
    }
}
