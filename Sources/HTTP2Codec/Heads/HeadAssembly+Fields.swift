import HTTP1Codec

extension HeadAssembly {
    /// Fields of HTTP/1.1 that belong to a connection (RFC 9113, section 8.2.2).
    private static let connectionFields: KnownFieldSet = [
        .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade,
    ]

    /// Judges a field that means something to the head.
    ///
    /// - Returns: Whether its line is to be kept.
    mutating func keeps(_ field: KnownField, value: Span<UInt8>) throws(MalformedHead) -> Bool {
        if Self.connectionFields.contains(field) { throw .connectionField }
        if kind == .trailers {
            // The same names as in a trailer section of HTTP/1.1.
            if KnownFieldSet.refusedInTrailers.contains(field) { throw .message(.trailerFieldForbidden) }
            return !KnownFieldSet.droppedFromTrailers.contains(field)
        }
        switch field {
        case .contentLength:
            guard contentLength == nil else { throw .message(.contentLengthRepeated) }
            do throws(MessageError) {
                contentLength = try ContentLength.parse(value)
            } catch {
                throw .message(error)
            }
        case .te:
            guard kind == .request, value.spellsIgnoringCase("trailers") else { throw .teMalformed }
        case .host:
            return try keepsHost(value)
        case .expect where kind == .request:
            if value.spellsIgnoringCase("100-continue") { expectsContinue = true }
        case .cookie where kind == .request:
            // One line for all crumbs (RFC 9113, section 8.2.3), since they may stand apart. An empty one adds nothing
            // to it: behind the last delimiter the value would end with a space, which the next server refuses.
            hasCookie = true
            if value.isEmpty { return false }
            if cookie.count > 0 { cookie.append("; ") }
            cookie.append(value)
            return false
        default:
            break
        }
        return true
    }

    private mutating func keepsHost(_ value: Span<UInt8>) throws(MalformedHead) -> Bool {
        guard !hasHostField else { throw .message(.hostRepeated) }
        hasHostField = true
        if let authority = pseudoFields.authority {
            let bytes = pseudoFields.bytes.bytes
            guard value.equalsIgnoringCase(bytes.span.extracting(authority)) else { throw .hostDiffers }
            return false
        }
        guard AuthoritySyntax.isValid(value, port: .optional) else { throw .message(.hostMalformed) }
        return true
    }

    /// Makes the first line of the head, and of `:authority` the Host line.
    mutating func beginLines() throws(HeaderBlockError) {
        hasBegunLines = true
        do throws(MalformedHead) {
            switch kind {
            case .request: try beginRequest()
            case .response: try beginResponse()
            case .trailers, .nothing: return
            }
        } catch {
            throw .malformed(error)
        }
    }

    private mutating func beginRequest() throws(MalformedHead) {
        let bytes = pseudoFields.bytes.bytes
        guard let method = pseudoFields.method else { throw .pseudoFieldMissing }
        // A server need not offer CONNECT inside a connection (RFC 9113, section 8.5), and the extended form (RFC 8441)
        // not before its SETTINGS say so; without that, `:protocol` is a pseudo-field that is not defined.
        guard !bytes.span.extracting(method).spells("CONNECT") else { throw .connectUnsupported }
        guard let path = pseudoFields.path, let scheme = pseudoFields.scheme else {
            throw .pseudoFieldMissing
        }
        do throws(MessageError) {
            requestLine = try RequestLine(
                method: bytes.span.extracting(method),
                path: bytes.span.extracting(path),
                scheme: scheme
            )
        } catch {
            throw .message(error)
        }
        lines.append(atMost: method.count + path.count + 10) { target, end in
            ByteCopying.copy(bytes.span.extracting(method), to: &target, at: &end)
            target[end] = 0x20
            end += 1
            ByteCopying.copy(bytes.span.extracting(path), to: &target, at: &end)
            ByteCopying.copy(" HTTP/2\r\n", to: &target, at: &end)
        }
        firstLine = lines.count
        if let authority = pseudoFields.authority {
            appendLine("host", .host, value: bytes.span.extracting(authority))
        }
    }

    private mutating func beginResponse() throws(MalformedHead) {
        guard let status = pseudoFields.status else { throw .pseudoFieldMissing }
        lines.append(atMost: 15) { target, end in
            ByteCopying.copy("HTTP/2.0 000 \r\n", to: &target, at: &end)
            target[9] += UInt8(status / 100)
            target[10] += UInt8(status / 10 % 10)
            target[11] += UInt8(status % 10)
        }
        firstLine = lines.count
    }

    mutating func appendLine(_ name: StaticString, _ known: KnownField, value: Span<UInt8>) {
        layouts.append(
            FieldLayout(
                nameLength: UInt16(name.utf8CodeUnitCount),
                valueLength: UInt32(value.count),
                known: known
            )
        )
        lines.append(atMost: name.utf8CodeUnitCount + value.count + 4) { target, end in
            ByteCopying.copy(name, to: &target, at: &end)
            ByteCopying.copy(": ", to: &target, at: &end)
            ByteCopying.copy(value, to: &target, at: &end)
            ByteCopying.copy("\r\n", to: &target, at: &end)
        }
    }
}
