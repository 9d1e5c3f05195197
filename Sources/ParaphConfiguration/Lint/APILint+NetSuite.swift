import OAuthSigning
import Routing

extension APILint {
    /// NetSuite's realm follows from its host; another is certain to be refused.
    func checkNetSuiteRealm(_ block: OAuth1Block) {
        let accounts = route.hosts.compactMap(\.netSuiteAccount)
        let place = block.place("realm")
        let written = block.options.realm
        guard let meant = accounts.first else {
            // A host that is not named after the account.
            if written == nil, !route.hosts.isEmpty {
                report(place, "NetSuite needs a realm, the account id, like 1234567_SB1")
            }
            return
        }
        guard let written else {
            report(place, "NetSuite needs its realm, \(meant.realm)")
            return
        }
        if !accounts.contains(where: { $0.realm == written }) {
            let isSlip = NearestWord.to(written, among: [meant.realm]) != nil
            let other = isSlip ? "you wrote \(shown(written).dropFirst().dropLast())" : "not what is written here"
            report(place, "NetSuite's realm is \(meant.realm), \(other)")
        }
    }

    private func report(_ place: Value, _ message: String) {
        place.context.reportOnce("\(place.path): \(message)", at: place.position)
    }
}
