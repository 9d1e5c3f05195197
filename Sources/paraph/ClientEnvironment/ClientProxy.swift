/// The proxy, as clients are told of it.
struct ClientProxy: Sendable, Equatable {
    /// A name or an address, without brackets.
    let host: String
    let port: Int
    /// `NAME:PASSWORD`, as it stands in a URL. Java's virtual machines take none.
    var userInformation: String?

    var url: String {
        let user = userInformation.map { "\($0)@" } ?? ""
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "http://\(user)\(host):\(port)"
    }
}
