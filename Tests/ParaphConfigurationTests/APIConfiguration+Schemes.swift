import Credentials
import ParaphConfiguration

extension APIConfiguration {
    var oauth1: OAuth1Settings? {
        if case .oauth1(let settings) = scheme { settings } else { nil }
    }
}
