/// The four forms of a request target (RFC 9112, section 3.2).
package enum RequestTargetForm: Sendable, Equatable {
    case origin
    case absolute
    case authority
    case asterisk
}

extension RequestTargetForm {
    /// HTTP's, and those that clients of WebSocket write for it.
    private static let absoluteSchemes = ["http://", "https://", "ws://", "wss://"]

    /// The form of a target that holds only bytes 0x21–0x7E without `#`, which stays out of targets altogether
    /// (RFC 9112, section 3.2).
    ///
    /// - Throws: `targetMalformed` if the target has none of the forms that the method allows.
    init(of target: Span<UInt8>, method: RequestMethod) throws(MessageError) {
        guard target.count > 0 else { throw .targetMalformed }
        if method == .connect {
            guard AuthoritySyntax.isValid(target, port: .required) else { throw .targetMalformed }
            self = .authority
        } else if target[0] == 0x2F {
            self = .origin
        } else if target[0] == 0x2A {
            guard target.count == 1, method == .options else { throw .targetMalformed }
            self = .asterisk
        } else {
            guard let start = Self.authorityOffset(in: target) else { throw .targetMalformed }
            var end = start
            while end < target.count, target[end] != 0x2F, target[end] != 0x3F { end &+= 1 }
            guard AuthoritySyntax.isValid(target.extracting(start..<end), port: .optional) else {
                throw .targetMalformed
            }
            self = .absolute
        }
    }

    /// Returns where that begins which follows the scheme and `//`; nil where the scheme is none of HTTP's, or nothing
    /// follows.
    private static func authorityOffset(in target: Span<UInt8>) -> Int? {
        for scheme in absoluteSchemes {
            let length = scheme.utf8.count
            if target.count > length, target.extracting(0..<length).spellsIgnoringCase(scheme) { return length }
        }
        return nil
    }
}
