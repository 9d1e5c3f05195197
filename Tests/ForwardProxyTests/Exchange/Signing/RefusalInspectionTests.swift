import Credentials
import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The inspection of a refusal")
struct RefusalInspectionTests {
    private func holding(_ fields: String = "") throws -> RefusalInspection {
        var inspection = RefusalInspection()
        #expect(!inspection.isHolding)
        inspection.hold(try responseHead("HTTP/1.1 401 Unauthorized\nContent-Length: 4\n\(fields)\n"))
        return inspection
    }

    @Test("holds a response back until it is taken, whole")
    func takes() throws {
        var inspection = try holding()
        #expect(inspection.isHolding)
        for piece in ["no", "pe"] {
            let isTooMuch = inspection.append(ByteBuffer(string: piece))
            #expect(!isTooMuch)
        }
        inspection.complete(trailers: nil)
        let held = inspection.takeHeld()
        #expect(held?.head.status == 401 && held.map { String(buffer: $0.body) } == "nope")
        #expect(!inspection.isHolding)
    }

    @Test("is told when that is too much to be held")
    func limit() throws {
        var inspection = try holding()
        let rest = RefusalInspection.limit
        let isTooMuch = inspection.append(ByteBuffer(repeating: 0x61, count: rest))
        let isMore = inspection.append(ByteBuffer(repeating: 0x61, count: 1))
        #expect(!isTooMuch && isMore)
    }

    @Test("forgets the refusal that was made good, and not what is to be told of it")
    func drops() throws {
        var inspection = try holding()
        inspection.note = "A new token was fetched."
        inspection.drop()
        #expect(!inspection.isHolding && inspection.diagnosis == nil && inspection.note != nil)
    }

    @Test("finds out what is refused, and says so with a remark")
    func diagnoses() throws {
        var inspection = try holding("WWW-Authenticate: OAuth oauth_problem=\"timestamp_refused\"\n")
        inspection.diagnose(secrets: [])
        #expect(inspection.diagnosis?.cause == .timestampRefused)
        let context = ProviderDiagnosis.Context(api: "a", account: "b", authorization: .clientAndToken)
        let sentence = try #require(inspection.sentence(context))
        inspection.note = "And so on."
        let remarked = try #require(inspection.sentence(context))
        #expect(remarked.hasPrefix(sentence) && remarked.hasSuffix(". And so on."))
        inspection.drop()
        #expect(inspection.sentence(context) == nil)
    }

    @Test("reads the provider's clock from its Date, unless what it accepts says otherwise")
    func clockOffset() throws {
        let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\n"
        let response = try responseHead("HTTP/1.1 401 No\n\(date)Content-Length: 0\n\n")
        var inspection = try holding(date)
        #expect(inspection.clockOffset(response, now: 784_111_700) == 77)
        let accepted = #"oauth_problem="timestamp_refused", oauth_acceptable_timestamps="1000-1200""#
        inspection = try holding("WWW-Authenticate: OAuth \(accepted)\n")
        inspection.diagnose(secrets: [])
        #expect(inspection.diagnosis?.acceptableTimestamps == 1_000...1_200)
        #expect(inspection.clockOffset(response, now: 1_050) == 50)
    }

    @Test("tells once what was learnt of the provider's clock, should that be refused too")
    func clockRefused() throws {
        var inspection = try holding()
        let nothing = inspection.clockRefused()
        #expect(nothing?.learnt == nil && inspection.note == nil)
        inspection.clockLearnt(60, before: 5)
        #expect(inspection.note != nil)
        let offset = inspection.clockRefused()
        #expect(offset?.learnt == 60 && offset?.before == 5)
        let again = inspection.clockRefused()
        #expect(again?.learnt == nil)
    }
}
