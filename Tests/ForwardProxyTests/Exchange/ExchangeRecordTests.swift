import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The record of one exchange")
struct ExchangeRecordTests {
    private let start = NIODeadline.uptimeNanoseconds(1 << 40)
    private let times = ConnectTimes(name: nil, tcp: .milliseconds(1), tls: nil)
    private let record: ExchangeRecord

    init() {
        record = ExchangeRecord(start: start)
    }

    @Test("takes the waits for one thing together, from the first on")
    func waits() {
        var record = record
        record.waitedForToken(.seconds(1), since: start + .seconds(1))
        record.waitedForToken(.seconds(2), since: start + .seconds(5))
        record.waitedForConnection(.seconds(4), since: start + .seconds(7))
        #expect(record.token == ExchangeRecord.Wait(begin: start + .seconds(1), time: .seconds(3)))
        #expect(record.connection == ExchangeRecord.Wait(begin: start + .seconds(7), time: .seconds(4)))
    }

    @Test("has the connection that the request was sent on last, and no failure of one before")
    func connection() {
        var record = record
        record.note(FailedConnection(.closed, times: times))
        #expect(record.connectionFailed && record.connectTimes == times)
        let cause = record.willSend(isReused: true, "h2", nil)
        #expect(cause == nil && record.repeats.isEmpty)
        #expect(record.isReused == true && record.upstreamProtocol == "h2")
        #expect(!record.connectionFailed && record.connectTimes == nil)
    }

    @Test("has no times of a connection that this proxy has not tried to make")
    func refusedHere() {
        var record = record
        record.note(FailedConnection(.refusedHere(.stopping), times: times))
        #expect(record.connectionFailed && record.connectTimes == nil)
    }

    @Test("has each cause that the request was sent again for, once it is")
    func repeats() {
        var record = record
        record.willRepeat(because: .staleConnection)
        #expect(record.repeats.isEmpty)
        let causes = [record.willSend(isReused: false, "http/1.1", times), record.willSend(isReused: true, "h2", nil)]
        #expect(causes == [.staleConnection, nil])
        record.willRepeat(because: .tokenRefused)
        _ = record.willSend(isReused: true, "h2", nil)
        #expect(record.repeats == [.staleConnection, .tokenRefused])
    }

    @Test("has the bytes of an answer that the proxy makes itself, but to HEAD")
    func answers() {
        var (answered, withoutBody) = (record, record)
        let bytes = [
            answered.note(answer: .bodyTooSlow, to: .post), withoutBody.note(answer: .bodyTooSlow, to: .head),
        ]
        #expect(bytes == [answered.responseBytes, 0])
        #expect(answered.responseBytes > 0 && withoutBody.responseBytes == 0)
        #expect(answered.status == Problem.bodyTooSlow.status && withoutBody.status == answered.status)
        #expect(answered.details != nil)
    }
}
