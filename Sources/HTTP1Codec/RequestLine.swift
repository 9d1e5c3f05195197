/// `method SP request-target SP HTTP-version` (RFC 9112, section 3), with exactly one SP between the parts.
struct RequestLine: Sendable {
    let method: RequestMethod
    let version: HTTPVersion
    let form: RequestTargetForm
    private let methodEnd: UInt32
    private let targetEnd: UInt32

    var methodRange: Range<Int> { 0..<Int(self.methodEnd) }
    var targetRange: Range<Int> { Int(self.methodEnd) + 1..<Int(self.targetEnd) }

    /// - Parameter line: The first line of the head, from octet 0 on.
    init(_ line: Range<Int>, of octets: Span<UInt8>) throws(MessageError) {
        var methodEnd = line.lowerBound
        while methodEnd < line.upperBound, octets[methodEnd].isToken { methodEnd &+= 1 }
        guard methodEnd > line.lowerBound, methodEnd < line.upperBound, octets[methodEnd] == 0x20 else {
            throw .requestLineMalformed
        }
        let targetStart = methodEnd &+ 1
        let targetEnd = OctetScan.firstOutsideTarget(in: octets, from: targetStart)
        guard targetEnd > targetStart, targetEnd < line.upperBound else { throw .requestLineMalformed }
        guard octets[targetEnd] == 0x20 else { throw .targetMalformed }
        self.version = try HTTPVersion(
            octets.extracting(targetEnd &+ 1..<line.upperBound),
            orThrow: .requestLineMalformed
        )
        guard let method = RequestMethod(octets: octets.extracting(line.lowerBound..<methodEnd)) else {
            throw .methodUnknown
        }
        self.method = method
        self.form = try RequestTargetForm(of: octets.extracting(targetStart..<targetEnd), method: method)
        guard let end = UInt32(exactly: targetEnd) else { throw .targetTooLong }
        self.methodEnd = UInt32(truncatingIfNeeded: methodEnd)
        self.targetEnd = end
    }
}
