/// The bytes of bodies, counted as they pass: an exchange may last for hours.
extension Exchange {
    func requestMoved(_ bytes: Int) {
        record.requestBytes += bytes
        context.metrics.moved(requestBytes: bytes)
    }

    func responseMoved(_ bytes: Int) {
        record.responseBytes += bytes
        context.metrics.moved(responseBytes: bytes)
    }
}
