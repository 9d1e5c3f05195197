package import Bytes

/// `method SP request-target SP HTTP-version` (RFC 9112, section 3), with exactly one SP between the parts.
package struct RequestLine: Sendable {
    package let method: RequestMethod
    let version: HTTPVersion
    let form: RequestTargetForm
    /// The scheme of `:scheme`; `nil` but for HTTP/2.
    let scheme: URIScheme?
    private let methodEnd: UInt32
    private let targetEnd: UInt32

    var methodRange: Range<Int> { 0..<Int(methodEnd) }
    var targetRange: Range<Int> { Int(methodEnd) + 1..<Int(targetEnd) }

    /// - Parameter line: The first line of the head, from byte 0 on.
    init(_ line: Range<Int>, of bytes: Span<UInt8>) throws(MessageError) {
        var methodEnd = line.lowerBound
        while methodEnd < line.upperBound, bytes[methodEnd].isToken { methodEnd &+= 1 }
        guard methodEnd > line.lowerBound, methodEnd < line.upperBound, bytes[methodEnd] == 0x20 else {
            throw .requestLineMalformed
        }
        let targetStart = methodEnd &+ 1
        let targetEnd = ByteScan.firstOutsideTarget(in: bytes, from: targetStart)
        guard targetEnd > targetStart, targetEnd < line.upperBound else { throw .requestLineMalformed }
        guard bytes[targetEnd] == 0x20 else { throw .targetMalformed }
        scheme = nil
        version = try HTTPVersion(
            bytes.extracting(targetEnd &+ 1..<line.upperBound),
            orThrow: .requestLineMalformed
        )
        let method = RequestMethod(bytes: bytes.extracting(line.lowerBound..<methodEnd))
        self.method = method
        form = try RequestTargetForm(of: bytes.extracting(targetStart..<targetEnd), method: method)
        guard let end = UInt32(exactly: targetEnd) else { throw .targetTooLong }
        self.methodEnd = UInt32(truncatingIfNeeded: methodEnd)
        self.targetEnd = end
    }

    /// The line `method SP path SP "HTTP/2"` that stands for the pseudo-fields of a request (RFC 9113, section 8.3.1).
    ///
    /// - Throws: `methodMalformed`, and `targetMalformed` also for an absolute-form, which is no `:path`.
    package init(method: Span<UInt8>, path: Span<UInt8>, scheme: URIScheme) throws(MessageError) {
        try self.init(method: method, target: path, version: .http2, scheme: scheme)
        guard form == .origin || form == .asterisk else { throw .targetMalformed }
    }

    /// A line that is made, and begins the bytes of its head.
    ///
    /// - Throws: `methodMalformed`, `targetMalformed` or `targetTooLong`.
    init(
        method: Span<UInt8>,
        target: Span<UInt8>,
        version: HTTPVersion = .http11,
        scheme: URIScheme? = nil
    ) throws(MessageError) {
        guard method.count > 0, method.indices.allSatisfy({ method[$0].isToken }) else { throw .methodMalformed }
        let known = RequestMethod(bytes: method)
        guard ByteScan.firstOutsideTarget(in: target, from: 0) == target.count else { throw .targetMalformed }
        form = try RequestTargetForm(of: target, method: known)
        guard let end = UInt32(exactly: method.count + 1 + target.count) else { throw .targetTooLong }
        self.method = known
        self.version = version
        self.scheme = scheme
        methodEnd = end - 1 - UInt32(target.count)
        targetEnd = end
    }
}

/// The four forms of a request target (RFC 9112, section 3.2).
package enum RequestTargetForm: Sendable, Equatable {
    case origin
    case absolute
    case authority
    case asterisk
}

extension RequestTargetForm {
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
            // Clients of WebSocket write its schemes for HTTP's.
            guard let beginning = URIBeginning(of: target, webSockets: true),
                AuthoritySyntax.isValid(target.extracting(beginning.authority), port: .optional)
            else { throw .targetMalformed }
            self = .absolute
        }
    }
}

extension RequestLine: StartLine {
    static var role: HeadFields.Role { .request }
    static var tooLong: MessageError { .targetTooLong }
}
