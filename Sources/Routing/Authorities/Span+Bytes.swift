extension Span<UInt8> {
    /// `nil` when the bytes are not UTF-8.
    var text: String? {
        guard let valid = try? UTF8Span(validating: self) else { return nil }
        return String(copying: valid)
    }
}
