import ForwardProxy
import NIOCore

/// All that a client has to know.
struct DemoEntrance {
    let proxyAddress: SocketAddress
    /// The file of the throw-away CA's certificate, and what is in it.
    let certificateFile: String
    let certificatePEM: String

    var proxyURL: String { "http://\(proxyAddress.urlText)" }
}
