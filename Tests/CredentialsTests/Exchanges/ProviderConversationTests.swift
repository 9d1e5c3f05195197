import Synchronization
import Testing

@testable import Credentials

@Suite("A conversation with a provider")
struct ProviderConversationTests {
    /// An exchange that ends with the answers it got, by their status: 1 asks for more, 2 refuses the time.
    private struct Script: ProviderExchange {
        typealias Outcome = Record

        let request: ExchangeRequest
        private var answers: [Int] = []
        private var timestamps: [UInt64] = []

        init() throws {
            request = try #require(ExchangeRequest(getting: "https://provider.example/", step: "script"))
        }

        mutating func start(
            nonce: String,
            timestamp: UInt64
        ) throws(ExchangeFailure) -> ExchangeProgress<Outcome> {
            timestamps.append(timestamp)
            return .send(request)
        }

        mutating func receive(
            _ response: ExchangeResponse,
            nonce: String,
            timestamp: UInt64
        ) -> ExchangeProgress<Outcome> {
            answers.append(response.status)
            timestamps.append(timestamp)
            switch response.status {
            case 1: return .send(request)
            case 2: return .clockRefused(Record(answers: answers, timestamps: timestamps))
            default: return .ended(Record(answers: answers, timestamps: timestamps))
            }
        }
    }

    private struct Record: Equatable {
        var answers: [Int]
        var timestamps: [UInt64]
    }

    /// A clock that goes 100 s ahead each time it is told something new.
    private final class ScriptedClock: ExchangeClock {
        private let isFollowed: Bool
        private let seen = Mutex<[Int]>([])

        init(isFollowed: Bool) {
            self.isFollowed = isFollowed
        }

        var refusals: [Int] { seen.withLock { $0 } }
        var timestamp: UInt64 { UInt64(1_000 + (isFollowed ? 100 * refusals.count : 0)) }

        func follow(_ response: ExchangeResponse) -> Bool {
            seen.withLock { $0.append(response.status) }
            return isFollowed
        }
    }

    private func run(_ statuses: [Int], _ clock: ScriptedClock) async throws -> Record {
        let left = Mutex(statuses)
        let conversation = ProviderConversation(clock: clock) { request throws(ExchangeFailure) in
            let status = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let status else {
                throw ExchangeFailure(step: request.step, status: nil, words: "", cause: .unreachable)
            }
            return ExchangeResponse(status: status, body: [])
        }
        let outcome = try await conversation.run(Script())
        #expect(left.withLock { $0 }.isEmpty)
        return outcome
    }

    @Test("What an exchange wants sent is sent until it ends")
    func sends() async throws {
        let clock = ScriptedClock(isFollowed: true)
        let outcome = try await run([1, 1, 3], clock)
        #expect(outcome == Record(answers: [1, 1, 3], timestamps: [1_000, 1_000, 1_000, 1_000]))
        #expect(clock.refusals.isEmpty)
    }

    @Test("After a time that was refused it is begun anew by the provider's clock, once", arguments: [2, 3])
    func follows(last: Int) async throws {
        let clock = ScriptedClock(isFollowed: true)
        let outcome = try await run([1, 2, 1, last], clock)
        #expect(outcome == Record(answers: [1, last], timestamps: [1_100, 1_100, 1_100]))
        #expect(clock.refusals == [2])
    }

    @Test("Where the clock is not followed, a refusal is the outcome")
    func isNotFollowed() async throws {
        let outcome = try await run([1, 2], ScriptedClock(isFollowed: false))
        #expect(outcome == Record(answers: [1, 2], timestamps: [1_000, 1_000, 1_000]))
    }

    @Test("A request without an answer ends it")
    func unanswered() async {
        let failure = await #expect(throws: ExchangeFailure.self) {
            try await run([1], ScriptedClock(isFollowed: true))
        }
        #expect(failure?.cause == .unreachable)
    }
}
