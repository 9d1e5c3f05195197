import HTTP1Codec
import NIOCore
import Routing

extension Exchange {
    /// The upstream switches protocols: from here on bytes go to and fro unread.
    func switchProtocols(_ response: ResponseHead) {
        guard let stream, let offer, machine.requestIsComplete, UpgradeOffer.isTaken(offer, by: response) else {
            dropStream()
            return fail(.unexpectedUpgrade(authority: "\(route.authority)"))
        }
        record.status = response.status
        machine.conclude()
        memory.release()
        self.stream = nil
        admission?.end()
        context.exchangeSwitched()
        client.switchProtocols(asSeenByClient(response), of: self, on: stream)
    }
}
