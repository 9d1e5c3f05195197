import Bytes
import FoundationEssentials
import X509

/// The search for a path from a server's certificate to a trusted root, and for one that has a pin.
///
/// 1. From the certificate that a partial path ends at, every certificate that has its issuer's name and whose key made
///    its signature leads on. Trusted roots end a path, and are taken first, so that short paths are found first.
/// 2. A path that ends is judged by ``CertificationPathRules``, ``NameConstraintCheck`` and ``RevocationCheck``. The
/// first that is valid and has a pin, where
///    pins are asked for, is the answer.
/// 3. Without one, the answer is the first path that is valid, or else what the path that came furthest failed at.
///
/// Whatever is presented, at most ``maximumTries`` issuers are tried, ``maximumSignatures`` signatures verified and
/// ``maximumComparisons`` names compared with constraints.
struct PathSearch {
    /// Certificates of one key under few names can be combined in factorially many ways.
    private static let maximumTries = 100
    private static let maximumSignatures = 32
    static let maximumComparisons = 100_000

    private let roots: [DistinguishedName: [Certificate]]
    /// The name of the server; nil when names are not compared.
    private let serverName: ServerName?
    private let pinning: PinningPolicy?
    private let revocation: RevocationCheck?
    private let time: Date
    private var members: [PathMember] = []
    /// The first member, for each member, that is the same authority.
    private var authorities: [Int] = []
    private var presented: [DistinguishedName: [Int]] = [:]
    /// The members, for each member, of a name that is its issuer's, among what was presented and among the roots. A
    /// name may be long.
    private var issuers: [Int: (presented: [Int], trusted: [Int])] = [:]
    private var tries = SearchBudget(Self.maximumTries)
    private var signatures: SignatureCheck
    private var constraints: NameConstraintCheck
    private var revocationFailures: [[Int]: TrustFailureReason?] = [:]
    private var havePins: [Int: Bool] = [:]
    private var unpinned: [Int]?
    private var furthest: (stage: Int, path: [Int], reason: TrustFailureReason)?

    enum Outcome {
        /// The path, leaf first, trusted root last.
        case found([Certificate])
        /// A path that is valid and has no pin, and why none that has one was found.
        case unpinned([Certificate], TrustFailureReason)
        case nothing(path: [Certificate], TrustFailureReason)
        /// No path leads to a trusted root.
        case noPath
    }

    /// - Parameters:
    ///   - others: The certificates that were presented beside the leaf.
    ///   - serverName: The name that the leaf is to have; nil: names are not compared.
    ///   - pinning: The pins of which a path is to have one; nil: it need not have any.
    ///   - revocation: The check by revocation lists; nil: none are looked at.
    init(
        leaf: Certificate,
        others: [Certificate],
        roots: [DistinguishedName: [Certificate]],
        serverName: ServerName?,
        pinning: PinningPolicy?,
        revocation: RevocationCheck?,
        time: Date
    ) {
        self.roots = roots
        self.serverName = serverName
        self.pinning = pinning
        self.revocation = revocation
        self.time = time
        signatures = SignatureCheck(maximum: Self.maximumSignatures)
        constraints = NameConstraintCheck(comparisons: Self.maximumComparisons)
        add(leaf, isTrusted: roots[leaf.subject]?.contains(leaf) == true)
        for certificate in others {
            guard !members.contains(where: { $0.certificate == certificate }) else { continue }
            presented[certificate.subject, default: []].append(members.count)
            add(certificate, isTrusted: false)
        }
    }

    mutating func run() -> Outcome {
        if members[0].isTrusted, isAnswer([0]) { return .found(certificates([0])) }
        // Whether the last certificate of a path signed the one before it is looked at when the path's turn comes.
        var partial = [[0]]
        while let path = partial.popLast(), !isCut {
            guard isSigned(path) else { continue }
            let issuers = namedIssuers(of: path[path.count - 1])
            for root in inOrder(issuers.trusted, after: path) {
                let path = path + [root]
                if isSigned(path), isAnswer(path) { return .found(certificates(path)) }
            }
            let candidates = inOrder(issuers.presented, after: path)
            // The last one pushed is the next one taken.
            partial += candidates.prefix(tries.take(candidates.count)).reversed().map { path + [$0] }
        }
        if let unpinned, let pinning {
            return .unpinned(certificates(unpinned), cut ?? .noPinMatched(pinning.mode, pinning.appliesTo))
        }
        // A chain that takes too many comparisons is told as one, however far another path of it came.
        let reason = constraints.isExceeded ? .tooManyComparisons : furthest?.reason ?? cut
        return reason.map { .nothing(path: certificates(furthest?.path ?? []), $0) } ?? .noPath
    }

    /// The reason why the search ended before all paths were looked at.
    private var cut: TrustFailureReason? {
        if constraints.isExceeded { return .tooManyComparisons }
        return tries.isExceeded || signatures.isExceeded ? .searchTooLong : nil
    }

    private var isCut: Bool { constraints.isExceeded || signatures.isExceeded }

    private mutating func add(_ certificate: Certificate, isTrusted: Bool) {
        let member = PathMember(certificate, isTrusted: isTrusted)
        let same = members.firstIndex { $0.isSameAuthority(as: member) }
        authorities.append(same ?? members.count)
        members.append(member)
    }

    private func certificates(_ path: [Int]) -> [Certificate] { path.map { members[$0].certificate } }

    private mutating func namedIssuers(of index: Int) -> (presented: [Int], trusted: [Int]) {
        if let known = self.issuers[index] { return known }
        let name = members[index].certificate.issuer
        let named = self.issuers.first { members[$0.key].certificate.issuer == name }?.value
        let issuers = named ?? (presented[name] ?? [], addRoots(named: name))
        self.issuers[index] = issuers
        return issuers
    }

    private mutating func addRoots(named name: DistinguishedName) -> [Int] {
        (roots[name] ?? []).map { root in
            add(root, isTrusted: true)
            return members.count - 1
        }
    }

    /// The candidates that are not on a path, the ones first that the key identifier of its last certificate
    /// fits.
    private func inOrder(_ candidates: [Int], after path: [Int]) -> [Int] {
        let tip = members[path[path.count - 1]]
        let authorities = path.map { self.authorities[$0] }
        let issuers = candidates.filter { !authorities.contains(self.authorities[$0]) }
        return zip(issuers, issuers.map { members[$0].suitability(forIssuing: tip) })
            .sorted { $0.1 > $1.1 }.map(\.0)
    }

    /// Returns whether the last certificate of a path made the signature of the one before it.
    private mutating func isSigned(_ path: [Int]) -> Bool {
        guard path.count > 1 else { return true }
        return signatures.isValid(path[path.count - 2], signedBy: path[path.count - 1], of: members)
    }

    /// Judges a path that ends at a trusted root, and keeps what is of use when none is the answer.
    private mutating func isAnswer(_ path: [Int]) -> Bool {
        if let (stage, reason) = firstFailure(path) {
            if stage > furthest?.stage ?? -1 { furthest = (stage, path, reason) }
            return false
        }
        guard let pinning else { return true }
        for index in pinning.appliesTo.certificates(of: path) {
            let hasPin = havePins[index] ?? pinning.has(members[index].certificate)
            havePins[index] = hasPin
            if hasPin { return true }
        }
        unpinned = unpinned ?? path
        return false
    }

    /// Returns what is wrong with a path, and how far it came before.
    private mutating func firstFailure(_ path: [Int]) -> (stage: Int, reason: TrustFailureReason)? {
        let members = path.map { self.members[$0] }
        if let reason = CertificationPathRules.signatures(members) { return (0, reason) }
        if let reason = CertificationPathRules.criticalExtensions(members) { return (1, reason) }
        if let reason = CertificationPathRules.authorities(members) { return (2, reason) }
        if let reason = CertificationPathRules.flaws(members) { return (3, reason) }
        if let reason = CertificationPathRules.leafIsNoAuthority(members) { return (4, reason) }
        if let reason = CertificationPathRules.purpose(members) { return (5, reason) }
        if let reason = CertificationPathRules.validity(members, at: time) { return (6, reason) }
        if let reason = nameFailure { return (7, reason) }
        if let reason = constraints.firstFailure(path, of: self.members) { return (8, reason) }
        return revocationFailure(path).map { (9, $0) }
    }

    /// Each certificate below each of its issuers is looked up once. No list tells of the root, which is trusted.
    private mutating func revocationFailure(_ path: [Int]) -> TrustFailureReason? {
        guard let revocation else { return nil }
        for (member, issuer) in zip(path, path.dropFirst()) {
            let pair = [member, issuer]
            let failure =
                revocationFailures[pair]
                ?? revocation.failure(of: members[member], issuer: members[issuer], at: time)
            revocationFailures[pair] = .some(failure)
            if let failure { return failure }
        }
        return nil
    }

    /// The leaf is the same on every path: its names are compared once.
    private lazy var nameFailure: TrustFailureReason? = {
        guard let serverName = self.serverName else { return nil }
        let names = ServerCertificateNames((try? members[0].alternativeNames.get()) ?? SubjectAlternativeNames())
        if names.contains(serverName) { return nil }
        return .wrongHostname(wanted: serverName.description, names: names.shown)
    }()
}

/// The answers to which certificate signed which, each pair verified once, and a number of pairs for one decision.
struct SignatureCheck {
    private var budget: SearchBudget
    private var answers: [Pair: Bool] = [:]

    /// The indices of two members.
    private struct Pair: Hashable {
        var subject: Int
        var issuer: Int
    }

    init(maximum: Int) {
        budget = SearchBudget(maximum)
    }

    /// Indicates whether there were more pairs than are verified.
    var isExceeded: Bool { budget.isExceeded }

    /// Returns whether one member's signature was made by another's key; false where too many have been verified.
    mutating func isValid(_ subject: Int, signedBy issuer: Int, of members: [PathMember]) -> Bool {
        let pair = Pair(subject: subject, issuer: issuer)
        if let known = answers[pair] { return known }
        guard budget.take(1) == 1 else { return false }
        let certificate = members[subject].certificate
        let answer = members[issuer].certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
        answers[pair] = answer
        return answer
    }
}
