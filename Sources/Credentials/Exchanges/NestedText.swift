/// A text, and what it is to whoever undoes the escapes of JSON in it once and more often: in a string of JSON there
/// may be JSON with strings of its own.
struct NestedText {
    /// The number of times that they are undone; once more is done by ``EscapedText`` itself.
    private static let deepest = 3

    private struct Layer {
        let text: EscapedText
        /// The index in the outermost text, of each byte and of the end.
        let starts: [Int]
        /// The index of the byte that begins at an index of the outermost text; nil: none does.
        let indices: [Int?]
    }

    let text: EscapedText
    private let layers: [Layer]

    init(_ text: some StringProtocol) {
        self.text = EscapedText(text)
        var layers: [Layer] = []
        while layers.count < Self.deepest, let inner = (layers.last?.text ?? self.text).unescaped() {
            let starts = layers.last.map { outer in inner.starts.map { outer.starts[$0] } } ?? inner.starts
            var indices = [Int?](repeating: nil, count: self.text.bytes.count)
            for index in inner.text.bytes.indices.reversed() { indices[starts[index]] = index }
            layers.append(Layer(text: inner.text, starts: starts, indices: indices))
        }
        self.layers = layers
    }

    /// The text and what is in it, from the outermost on.
    var texts: [EscapedText] { [text] + layers.map(\.text) }

    /// Returns where what `find` finds at an index of the outermost text ends there: the longest in any of the texts.
    func end(at start: Int, _ find: (_ text: EscapedText, _ start: Int) -> Int?) -> Int? {
        layers.reduce(find(text, start)) { end, layer in
            guard let index = layer.indices[start], let found = find(layer.text, index) else { return end }
            return max(end ?? 0, layer.starts[found])
        }
    }
}
