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

/// A client's password is never printed: in its place the lines of `paraph env` name a variable, which the shell that
/// reads them knows.
enum ClientPassword {
    static let variable = "PARAPH_CLIENT_PASSWORD"
    /// Stands for the variable's value within a text.
    static let reference = "${\(variable)}"
}
