/// How text is set off. It must read well without.
enum TextStyle {
    case plain
    /// By the control sequences of ECMA-48.
    case terminal

    func bold(_ text: String) -> String { set(text, "1") }
    func dim(_ text: String) -> String { set(text, "2") }
    func good(_ text: String) -> String { set(text, "1;32") }
    func bad(_ text: String) -> String { set(text, "1;31") }

    private func set(_ text: String, _ code: String) -> String {
        switch self {
        case .plain: text
        case .terminal: text.isEmpty ? "" : "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }
    }
}
