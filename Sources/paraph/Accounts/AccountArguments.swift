import ArgumentParser
import Credentials

/// An account, named on the command line.
struct AccountArguments: ParsableArguments {
    @Argument(help: "The API, as the configuration names it.")
    var api: String

    @Argument(help: "The account: of the configuration, or an enrolled one's id.")
    var account: String

    var name: CredentialName { CredentialName(api: api, account: account) }
}
