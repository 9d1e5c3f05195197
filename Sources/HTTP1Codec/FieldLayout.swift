/// The lengths that make up one line `name: value` CR LF of a section that was put into the form of HTTP/1.1.
package struct FieldLayout: Sendable {
    let valueLength: UInt32
    let nameLength: UInt16
    let known: KnownField

    package init(nameLength: UInt16, valueLength: UInt32, known: KnownField) {
        self.valueLength = valueLength
        self.nameLength = nameLength
        self.known = known
    }
}
