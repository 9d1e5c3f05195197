import Bytes
import NIOCore
import NIOPosix
import Settings

/// One question to an admin listener: whether requests are served, or whether the process is up.
struct HealthProbe {
    /// The paths of the questions.
    enum Question: String {
        case isReady = "/readyz"
        case isLive = "/healthz"
    }

    let address: ListenAddress
    /// The time limit of the whole probe.
    let timeout: TimeAmount
    var question = Question.isReady

    /// Returns why the answer is no, as far as can be told; nil when it is yes.
    func problem() async -> String? {
        // The shared group would have a thread for each processor.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let problem = await problem(on: group)
        try? await group.shutdownGracefully()
        return problem
    }

    private func problem(on group: any EventLoopGroup) async -> String? {
        let answer: PlainRequest.Answer
        do {
            answer = try await PlainRequest.get(question.rawValue, from: address, timeout: timeout, on: group)
        } catch {
            return "no proxy answers at \(address) (listen.admin): \(error)"
        }
        guard answer.field("Server") == "paraph" else {
            return "another program listens at \(address) (listen.admin)"
        }
        guard answer.status != 200 else { return nil }
        return "the proxy at \(address) says: \(condensed(answer.body, limit: 200))"
    }
}
