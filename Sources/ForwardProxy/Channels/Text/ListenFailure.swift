/// An address that cannot be listened on.
package struct ListenFailure: Error {
    package let host: String
    package let port: Int
    /// The API whose gateway it is; nil: the proxy's own listener.
    package let api: String?
    package let cause: any Error
}
