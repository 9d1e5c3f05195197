/// The bounds of flow-control windows (RFC 9113, section 6.9.1).
enum WindowSize {
    static let largest = 2_147_483_647
}
