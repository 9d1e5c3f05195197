// The standard library normalizes to compare strings, and gives the result away under this name only; Foundation's own
// functions call the same.
@_spi(_Unicode) import Swift

/// The normalization forms of Unicode.
enum NormalForm {
    static func composed(_ text: String) -> String { Self.text(text._nfc) }

    static func decomposed(_ text: String) -> String { Self.text(text._nfd) }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
