package import Settings

/// An address that cannot be listened on.
package struct ListenFailure: Error {
    package let address: ListenAddress
    /// The API whose gateway it is; nil: the proxy's own listener.
    package let api: String?
    package let cause: any Error
}
