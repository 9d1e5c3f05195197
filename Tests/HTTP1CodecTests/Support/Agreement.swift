/// The judgement on two transcripts of one stream: the stock decoder's and our own.
struct Agreement {
    /// The differences that must never be: a message that only we read, or one that both read differently.
    private(set) var violations: [String] = []
    /// Our reason, where we refuse what the stock decoder takes.
    private(set) var strictness: String?

    /// - Parameter isResponse: Persistence is not compared then; see `Transcript.withoutPersistence`.
    init(own: Transcript, stock: Transcript, isResponse: Bool = false) {
        for (index, mine) in own.messages.enumerated() {
            guard index < stock.messages.count else {
                violations.append("message \(index) was read by us alone: \(mine.startLine)")
                return
            }
            let its = stock.messages[index]
            if mine.startLine != its.startLine {
                violations.append(
                    "start line \(mine.startLine.debugDescription), stock \(its.startLine.debugDescription)"
                )
            }
            if mine.fields != its.fields { violations.append("fields \(mine.fields), stock \(its.fields)") }
            if mine.keepsAlive, !its.keepsAlive, !isResponse {
                violations.append("we keep the connection, stock does not")
            }
            if mine.mayEndHTTP || its.mayEndHTTP { return }
            if mine.isComplete, !its.isComplete { violations.append("message \(index) was ended by us alone") }
            if its.isComplete, mine.isComplete {
                if mine.body != its.body { violations.append("body \(mine.body), stock \(its.body)") }
                if mine.trailers != its.trailers {
                    violations.append("trailers \(mine.trailers), stock \(its.trailers)")
                }
            }
            if its.isComplete, !mine.isComplete, own.refusal == nil {
                violations.append("message \(index) was ended by stock alone and we did not refuse")
            }
        }
        let isShort = own.completeCount < stock.completeCount || own.messages.count < stock.messages.count
        if isShort, own.refusal == nil { violations.append("stock read more messages and we did not refuse") }
        if own.refusal != nil, stock.refusal == nil { strictness = own.refusal }
        if let reason = stock.refusal, own.refusal == nil { violations.append("stock alone refused: \(reason)") }
    }
}
