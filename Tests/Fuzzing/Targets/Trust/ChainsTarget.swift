import FoundationEssentials
import ParaphConfiguration
import SwiftASN1
import X509

@testable import UpstreamTrust

/// Chains of certificates, of which some bytes were changed: none is accepted whose leaf is not what its authority
/// signed. Any other bytes as certificates are refused, a revocation list that was changed lets nothing pass, and PEM
/// is read as another reader has it. Of chains that are signed here those are accepted that a plain reading of the RFC
/// accepts, by name constraints and by revocation.
///
/// The input is a byte of choice, and changes of a chain or of a list of ours, certificates each after its length, a
/// file, names and constraints, or serial numbers.
enum ChainsTarget: FuzzTarget {
    static let name = "chains"

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let host = ServerName(host: "api.example.com")

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        switch choice & 7 {
        case 0, 1:
            let fixture = choice & 1 == 0 ? ChainFixture.short : ChainFixture.long
            judge(changed(fixture.presented, &reader), fixture)
        case 2:
            var presented: [[UInt8]] = []
            while !reader.isAtEnd, presented.count < 12 {
                let count = reader.number()
                presented.append(reader.bytes(count))
            }
            // Its root has signed no other leaf.
            judge(presented, ChainFixture.long)
        case 3: checkFile(reader.remainder())
        case 4: checkChangedList(&reader)
        case 5, 6: checkConstraints(&reader)
        default: checkRevocation(&reader)
        }
    }

    /// Certificates are those that the other reader of PEM finds, and come back as they were written; a list is
    /// nobody's that has not signed it.
    private static func checkFile(_ file: [UInt8]) {
        let text = String(decoding: file, as: UTF8.self)
        if let certificates = try? PEMCertificates.parse(text) {
            let read = certificates.map { PresentedCertificate($0).bytes }
            if let documents = try? PEMDocument.parseMultiple(pemString: text) {
                require(documents.map(\.derBytes) == read, "another reader finds other certificates")
            }
            let written = read.map { PEMDocument(type: "CERTIFICATE", derBytes: $0).pemString }.joined(separator: "\n")
            require((try? PEMCertificates.parse(written)) == certificates, "the certificates do not come back")
        }
        guard let lists = try? RevocationListFile.parse(file) else { return }
        let key = ChainFixture.longIssuer.publicKey
        for list in lists where list.isSigned(by: key) {
            require(file == ChainFixture.revoking, "a list that nobody signed is the authority's")
        }
    }

    /// The list revokes the leaf; what becomes of it by changes does not let the leaf pass.
    private static func checkChangedList(_ reader: inout InputReader) {
        let list = changed([ChainFixture.revoking], &reader)[0]
        guard let parsed = try? RevocationListFile.parse(list) else { return }
        let policy = RevocationPolicy(lists: parsed + ChainFixture.ofRoot, onMissing: .refuse)
        let fixture = ChainFixture.revoked(by: policy)
        let decision = Immediately.run {
            await fixture.verifier.verify(presentedDER: fixture.presented, serverName: host, pinning: nil, at: now)
        }
        guard case .refused(let failure) = decision else { fatalError("\(name): a changed list lets the leaf pass") }
        require(list != ChainFixture.revoking || failure.label == "revoked", "not revoked by the list: \(failure)")
    }

    private static let labels = ["a", "b", "A", "c-1", "example", "com"]

    private static func readName(_ reader: inout InputReader) -> ReferenceConstraints.Name {
        let choice = reader.byte()
        switch choice & 7 {
        case 0: return .address(reader.bytes(4).padded(to: 4))
        case 1: return .address(reader.bytes(16).padded(to: 16))
        default:
            let names = (0...Int(choice >> 3 & 3)).map { _ in reader.pick(labels) }
            return .dns((choice & 7 == 2 ? ["*"] : []) + names)
        }
    }

    private static func readSubtree(_ reader: inout InputReader) -> ReferenceConstraints.Subtree {
        let isBelowOnly = reader.flag()
        switch readName(&reader) {
        case .dns(let labels): return .dns(labels.filter { $0 != "*" }, isBelowOnly: isBelowOnly)
        case .address(let base):
            let bits = Int(reader.byte()) % (base.count * 8 + 1)
            let mask = base.indices.map { UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - $0 * 8))) }
            return .addresses(base, mask: mask)
        }
    }

    private static func checkConstraints(_ reader: inout InputReader) {
        var constraints = ReferenceConstraints()
        for _ in 0..<(reader.byte() & 3) { constraints.permitted.append(readSubtree(&reader)) }
        for _ in 0..<(reader.byte() & 3) { constraints.excluded.append(readSubtree(&reader)) }
        let names = (0...(reader.byte() & 3)).map { _ in readName(&reader) }
        guard
            let chain = try? SignedChain(
                constraints: constraints.encoded,
                names: names.map(ReferenceConstraints.encoded)
            )
        else { fatalError("\(name): no chain of \(names) below \(constraints)") }
        let isAllowed = names.allSatisfy(constraints.allow)
        switch chain.decision() {
        case .accepted: require(isAllowed, "accepted: \(names) below \(constraints)")
        case .refused(let failure):
            require(failure.label == "name_constraints", "refused for something else: \(failure)")
            // One that excludes what is below a name excludes wildcards for the name too.
            let hasWildcard = names.contains { if case .dns(let labels) = $0 { labels[0] == "*" } else { false } }
            require(!isAllowed || hasWildcard, "refused: \(names) below \(constraints)")
        }
    }

    private static func checkRevocation(_ reader: inout InputReader) {
        let serialNumber = readSerialNumber(&reader)
        let revoked = (0..<(reader.byte() & 7)).map { _ in readSerialNumber(&reader) }
        let chain: SignedChain
        let list: RevocationList
        do {
            chain = try SignedChain(serialNumber: serialNumber)
            list = try RevocationList(der: SignedChain.revocationList(of: revoked))
        } catch {
            fatalError("\(name): no chain or list of \(serialNumber) and \(revoked): \(error)")
        }
        switch chain.decision(revocation: RevocationPolicy(lists: [list], onMissing: .refuse)) {
        case .accepted: require(!revoked.contains(serialNumber), "accepted: \(serialNumber) of \(revoked)")
        case .refused(let failure):
            require(failure.label == "revoked" && revoked.contains(serialNumber), "\(serialNumber): \(failure)")
        }
    }

    /// A positive INTEGER as DER has it, of few values.
    private static func readSerialNumber(_ reader: inout InputReader) -> [UInt8] {
        let value = reader.byte()
        return value & 0x40 == 0 ? [value & 0x0F | 1] : [value & 0x0F | 1, value & 0x80]
    }

    private static func changed(_ chain: [[UInt8]], _ reader: inout InputReader) -> [[UInt8]] {
        var chain = chain
        while !reader.isAtEnd {
            let choice = reader.byte()
            let index = Int(choice >> 4) % max(1, chain.count)
            guard !chain.isEmpty, !chain[index].isEmpty else { return chain }
            let place = reader.number() % chain[index].count
            switch choice & 15 {
            case 0: chain[index].remove(at: place)
            case 1: chain[index].insert(reader.byte(), at: place)
            case 2: chain[index].removeSubrange(place...)
            case 3: chain.append(chain[index])
            case 4: chain.swapAt(0, index)
            case 5: chain[index][place] ^= 1 << (reader.byte() & 7)
            case 6:
                // A piece of another certificate, in place or between.
                let other = chain[Int(reader.byte()) % chain.count]
                let piece = other[(place % max(1, other.count))...].prefix(Int(reader.byte()))
                let end = min(chain[index].count, place + piece.count)
                chain[index].replaceSubrange(place..<end, with: piece)
            default: chain[index][place] = reader.byte()
            }
            if chain.count > 12 { return chain }
        }
        return chain
    }

    private static func judge(_ presented: [[UInt8]], _ fixture: ChainFixture) {
        let decision = Immediately.run {
            await fixture.verifier.verify(presentedDER: presented, serverName: host, pinning: nil, at: now)
        }
        switch decision {
        case .accepted:
            require(presented.first == fixture.presented.first, "another leaf was accepted")
        case .refused(let failure):
            let sentence = "\(failure)"
            require(sentence.utf8.count <= 20_000, "\(sentence.utf8.count) bytes are told")
            let isPrintable = sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" }
            require(isPrintable, "control characters: \(sentence.debugDescription)")
            require(presented != fixture.presented, "the chain as it is was refused: \(sentence)")
        }
    }
}

extension [UInt8] {
    fileprivate func padded(to count: Int) -> [UInt8] { self + Array(repeating: 0, count: count - self.count) }
}
