import HTTP2Codec

extension HTTP2Connection {
    /// Sends the proxy's own answer instead of a response.
    mutating func sendAnswer(_ id: HTTP2StreamID, _ problem: Problem, omitsBody: Bool) {
        let answer = ProblemResponse(problem)
        sendAnswer(id, status: problem.status, fields: answer.fields, endsStream: omitsBody)
        if !omitsBody { sendData(id, answer.document, endsStream: true) }
    }
}
