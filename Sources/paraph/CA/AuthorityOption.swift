import ArgumentParser
import LocalAuthority
import ParaphConfiguration
import Routing
import Settings

/// The configuration's CA, for a command that works on it.
struct AuthorityOption: ParsableArguments {
    @OptionGroup
    var option: ConfigurationOption

    /// Reads the certificate. The key is not needed, so that who may not read it can use the command.
    /// - Throws: The code for bad data, after the sentence with the reason is printed; also where there is none yet.
    func load() throws(ExitCode) -> (certificate: AuthorityCertificate, configuration: Configuration) {
        let configuration = try option.load()
        let path = configuration.authority.certificate
        do {
            guard let certificate = try AuthorityCertificate.read(path: path) else {
                StandardError.print("paraph: there is no CA in \(path) yet; paraph run makes it at its first start")
                throw ExitCode.badData
            }
            return (certificate, configuration)
        } catch let code as ExitCode {
            throw code
        } catch {
            StandardError.print("paraph: \(error)")
            throw .badData
        }
    }
}

extension Configuration {
    /// The names that the local CA has to sign for: the hosts of the APIs, and nothing else.
    var reach: AuthorityReach { AuthorityReach(hosts: proxy.apis.flatMap(\.route.hosts)) }
}
