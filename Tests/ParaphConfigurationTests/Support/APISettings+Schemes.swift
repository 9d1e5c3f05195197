import Credentials
import ParaphConfiguration
import Settings

extension APISettings {
    var oauth1: OAuth1Settings? {
        if case .oauth1(let settings) = scheme { settings } else { nil }
    }
}
