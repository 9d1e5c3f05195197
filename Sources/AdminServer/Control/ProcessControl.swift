/// The process that the listener belongs to, as far as a request may tell it what to do.
package protocol ProcessControl: Sendable {
    /// Reads the configuration again.
    /// - Returns: The result of a reload that began after the call, once it is over.
    func reload() async -> ReloadResult
    /// Ends the process once the requests in flight are finished. Returns at once; a second call changes nothing.
    func quit()
}
