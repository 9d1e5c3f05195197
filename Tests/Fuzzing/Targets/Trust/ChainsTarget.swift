import FoundationEssentials
import ParaphConfiguration
import SwiftASN1

@testable import UpstreamTrust

/// Chains of certificates, of which some bytes were changed: none is accepted whose leaf is not what its authority signed.
/// Any other bytes as certificates, PEM and revocation lists are refused.
///
/// The input is a byte of choice, and changes of a chain of ours, certificates each after its length, or a file.
enum ChainsTarget: FuzzTarget {
    static let name = "chains"

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let host = ServerName(host: "api.example.com")

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        let choice = reader.byte()
        switch choice & 3 {
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
        default:
            let octets = reader.remainder()
            _ = try? PEMCertificates.parse(String(decoding: octets, as: UTF8.self))
            _ = try? RevocationListFile.parse(octets)
        }
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
