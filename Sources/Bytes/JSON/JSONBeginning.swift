/// A JSON object or array of which the end may be missing, with strings that may have control characters and escapes
/// that are none: the body of an answer that was read up to a limit, from a server that may have put it together by
/// hand.
package struct JSONBeginning: Sendable {
    // More than anybody looks at, so that what is nested deep does not hide what stands beside it.
    private static let deepest = 512

    /// The object or array as far as it is whole, with what is open closed. What is not Unicode in its strings becomes
    /// U+FFFD.
    package let value: JSONValue
    /// Indicates whether nothing is missing.
    package let isWhole: Bool

    /// Reads the beginning of an object or array; nil unless the bytes are one, nested no deeper than 512 levels.
    package init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes, deepest: Self.deepest, allowsMalformedStrings: true)
        var builder = JSONValueBuilder()
        do throws(JSONReader.Fault) {
            while let event = try reader.next() { builder.add(event) }
            isWhole = true
        } catch {
            guard error == .truncated else { return nil }
            builder.closeAll()
            isWhole = false
        }
        switch builder.value {
        case .array(let elements)?: value = .array(elements)
        case .object(let members)?: value = .object(members)
        case .null?, .boolean?, .number?, .string?, nil: return nil
        }
    }
}
