/// The person who runs the command, as far as it can tell: a terminal, and perhaps a browser.
struct Person: Sendable {
    /// Shows a paragraph.
    let say: @Sendable (String) -> Void
    /// The lines that are typed; they end with standard input.
    let lines: AsyncStream<String>
    /// Opens an address in a browser, where there is one.
    let open: @Sendable (_ address: String) -> Void
}
