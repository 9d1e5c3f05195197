import ArgumentParser

/// A field of a request, given as `Name: value`.
struct ExplainedField: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":"), colon > argument.startIndex else { return nil }
        name = String(argument[..<colon])
        let value = argument[argument.index(after: colon)...]
        self.value = String(value.drop { $0 == " " || $0 == "\t" })
    }
}
