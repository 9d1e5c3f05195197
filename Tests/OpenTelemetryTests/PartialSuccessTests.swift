import Testing

@testable import OpenTelemetry

@Suite("A collector's answer that it took a part of the spans")
struct PartialSuccessTests {
    private func answer(_ rejected: Int64, _ message: String) -> [UInt8] {
        var answer = ProtobufMessage()
        answer.append(9, fixed: 1)
        answer.append(1) { partial in
            partial.append(1, integer: UInt64(bitPattern: rejected))
            partial.append(2, text: message)
        }
        return answer.bytes
    }

    @Test("The number of spans that it did not take, and why")
    func reads() {
        let partial = PartialSuccess(answer: answer(300, "too old"))
        #expect(partial.rejectedSpans == 300 && partial.message == "too old")
        #expect(PartialSuccess(answer: answer(-1, "")).rejectedSpans == 0)
        #expect(PartialSuccess(answer: []).rejectedSpans == 0)
    }

    @Test("What is malformed says nothing, wherever it is cut")
    func malformed() {
        let whole = answer(300, "too old")
        for length in 0..<whole.count {
            #expect(PartialSuccess(answer: Array(whole.prefix(length))).rejectedSpans == 0)
        }
        #expect(PartialSuccess(answer: Array("{\"partialSuccess\":{}}".utf8)).rejectedSpans == 0)
        #expect(PartialSuccess(answer: [UInt8](repeating: 0xFF, count: 100)).rejectedSpans == 0)
        #expect(PartialSuccess(answer: [0x0A] + [UInt8](repeating: 0xFF, count: 9) + [1]).rejectedSpans == 0)
    }
}
