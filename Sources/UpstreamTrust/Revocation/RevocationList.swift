package import FoundationEssentials
import SwiftASN1
package import X509

/// A certificate revocation list (RFC 5280, section 5): complete, and of one authority that signs it itself.
package struct RevocationList: Sendable {
    package let issuer: DistinguishedName
    package let thisUpdate: Date
    /// The time at which the next one is due: from then on this one tells nothing any more.
    package let nextUpdate: Date
    let entries: [Certificate.SerialNumber: Entry]
    private let toBeSigned: ArraySlice<UInt8>
    private let algorithm: Certificate.SignatureAlgorithm
    private let signature: ArraySlice<UInt8>

    struct Entry: Sendable {
        var date: Date
        var reason: RevocationReason
    }

    /// - Parameter der: One `CertificateList`.
    /// - Throws: The fault of the list, or the part of it that is not supported.
    package init(der: [UInt8]) throws(RevocationListError) {
        do {
            let parts = try DER.parse(der).children(.sequence)
            guard parts.count == 3 else { throw RevocationListError.malformed }
            toBeSigned = parts[0].encodedBytes
            algorithm = try Self.algorithm(parts[1])
            signature = try ASN1BitString(derEncoded: parts[2]).bytes
            var fields = try parts[0].children(.sequence)[...]
            // The version is absent from version 1, which has no extensions.
            if fields.first?.identifier == .integer, try Int(derEncoded: fields.removeFirst()) != 1 {
                throw RevocationListError.malformed
            }
            guard fields.count >= 4, fields.removeFirst().encodedBytes == parts[1].encodedBytes else {
                throw RevocationListError.malformed
            }
            issuer = try DistinguishedName(derEncoded: fields.removeFirst())
            thisUpdate = try Self.date(fields.removeFirst())
            guard let next = fields.first, [.utcTime, .generalizedTime].contains(next.identifier) else {
                throw RevocationListError.noNextUpdate
            }
            nextUpdate = try Self.date(fields.removeFirst())
            var entries: [Certificate.SerialNumber: Entry] = [:]
            if let list = fields.first, list.identifier == .sequence {
                for node in try fields.removeFirst().children(list.identifier) {
                    let (serialNumber, entry) = try Self.entry(node)
                    entries[serialNumber] = entry
                }
            }
            self.entries = entries
            if let node = fields.popFirst() { try Self.checkExtensions(node) }
            guard fields.isEmpty else { throw RevocationListError.malformed }
        } catch let error as RevocationListError {
            throw error
        } catch {
            throw .malformed
        }
    }

    func isSigned(by key: Certificate.PublicKey) -> Bool {
        key.isValidSignature(signature, for: toBeSigned, signatureAlgorithm: algorithm)
    }

    private static func algorithm(_ node: ASN1Node) throws -> Certificate.SignatureAlgorithm {
        guard let first = try node.children(.sequence).first else { throw RevocationListError.malformed }
        let identifier = try ASN1ObjectIdentifier(derEncoded: first)
        guard let algorithm = Self.algorithms[identifier] else {
            throw RevocationListError.unsupportedAlgorithm("\(identifier)")
        }
        return algorithm
    }

    private static let algorithms: [ASN1ObjectIdentifier: Certificate.SignatureAlgorithm] = [
        [1, 2, 840, 10045, 4, 3, 2]: .ecdsaWithSHA256,
        [1, 2, 840, 10045, 4, 3, 3]: .ecdsaWithSHA384,
        [1, 2, 840, 10045, 4, 3, 4]: .ecdsaWithSHA512,
        [1, 2, 840, 113549, 1, 1, 11]: .sha256WithRSAEncryption,
        [1, 2, 840, 113549, 1, 1, 12]: .sha384WithRSAEncryption,
        [1, 2, 840, 113549, 1, 1, 13]: .sha512WithRSAEncryption,
        [1, 3, 101, 112]: .ed25519,
    ]

    private static func date(_ node: ASN1Node) throws -> Date {
        if node.identifier == .utcTime {
            let time = try UTCTime(derEncoded: node)
            return CivilTime(time.year, time.month, time.day, time.hours, time.minutes, time.seconds).date
        }
        let time = try GeneralizedTime(derEncoded: node)
        return CivilTime(time.year, time.month, time.day, time.hours, time.minutes, time.seconds).date
    }

    private static func entry(_ node: ASN1Node) throws -> (Certificate.SerialNumber, Entry) {
        let fields = try node.children(.sequence)
        guard (2...3).contains(fields.count) else { throw RevocationListError.malformed }
        let serialNumber = Certificate.SerialNumber(bytes: try ArraySlice<UInt8>(derEncoded: fields[0]))
        var entry = Entry(date: try date(fields[1]), reason: .unspecified)
        guard fields.count == 3 else { return (serialNumber, entry) }
        for node in try fields[2].children(.sequence) {
            let (identifier, isCritical, value) = try Self.extension(node)
            if identifier == [2, 5, 29, 29] { throw RevocationListError.indirect }
            if identifier == [2, 5, 29, 21] {
                let code = try Int(derEncoded: DER.parse(value), withIdentifier: .enumerated)
                entry.reason = RevocationReason(rawValue: code) ?? .unspecified
            } else if isCritical {
                throw RevocationListError.unknownCriticalExtension("\(identifier)")
            }
        }
        return (serialNumber, entry)
    }

    private static func checkExtensions(_ node: ASN1Node) throws {
        let explicit = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        guard let list = try node.children(explicit).first else { throw RevocationListError.malformed }
        for node in try list.children(.sequence) {
            let (identifier, isCritical, _) = try Self.extension(node)
            switch identifier {
            case [2, 5, 29, 27]: throw RevocationListError.delta
            case [2, 5, 29, 28]: throw RevocationListError.partial
            case _ where isCritical: throw RevocationListError.unknownCriticalExtension("\(identifier)")
            default: continue
            }
        }
    }

    private static func `extension`(
        _ node: ASN1Node
    ) throws -> (identifier: ASN1ObjectIdentifier, isCritical: Bool, value: ArraySlice<UInt8>) {
        let fields = try node.children(.sequence)
        guard (2...3).contains(fields.count) else { throw RevocationListError.malformed }
        return (
            try ASN1ObjectIdentifier(derEncoded: fields[0]),
            fields.count == 3 ? try Bool(derEncoded: fields[1]) : false,
            try ASN1OctetString(derEncoded: fields[fields.count - 1]).bytes
        )
    }
}

extension ASN1Node {
    fileprivate func children(_ identifier: ASN1Identifier) throws -> [ASN1Node] {
        guard self.identifier == identifier, case .constructed(let children) = content else {
            throw RevocationListError.malformed
        }
        return Array(children)
    }
}

/// A time of the Gregorian calendar in UTC, as ASN.1 writes it.
struct CivilTime {
    private let seconds: Int

    init(_ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int) {
        // Years are counted from March, so that the day that some have and others lack is the last one.
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        // ASN.1 has years from 0 to 9999; year -1 of March is in January and February of 0.
        let leapDays = (marchYear + 400) / 4 - (marchYear + 400) / 100 + (marchYear + 400) / 400 - 97
        let days = marchYear * 365 + leapDays + dayOfYear - 719_468
        self.seconds = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    }

    var date: Date { Date(timeIntervalSince1970: Double(seconds)) }
}
