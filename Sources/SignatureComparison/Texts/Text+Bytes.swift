extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    /// The bytes as text; those that are no UTF-8 become U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// Returns what `change` makes of the text that the bytes are; the bytes as they are, when they are not UTF-8.
    func changed(_ change: (String) -> String) -> [UInt8] {
        String(validating: self, as: UTF8.self).map { change($0).bytes } ?? self
    }
}
