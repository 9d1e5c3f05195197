import NIOCore
import Testing

@testable import ForwardProxy

@Suite("A person's words for errors of sockets")
struct SocketErrorTextTests {
    @Test("A name that nobody knows is told as that, and not by a function's name")
    func unknownName() {
        let error = #expect(throws: SocketAddressError.UnknownHost.self) {
            try SocketAddress.makeAddressResolvingHost("a b", port: 1)
        }
        let words = error.map { SocketErrorText.describe($0) }
        #expect(words == "neither a name server nor the hosts file knows this name")
    }
}
