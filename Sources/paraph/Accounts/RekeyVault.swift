import ArgumentParser
import Credentials
import FoundationEssentials
import ParaphConfiguration

/// Changes the vault's key.
struct RekeyVault: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Seal every credential under a new vault key.",
        discussion: """
            A vault.key that is a file gets the new key. Otherwise --new-key-file names the file for it (made when it \
            does not exist), which the configuration has to name afterwards. A proxy that runs goes on, and follows. \
            Broken off at any moment, nothing is lost: run the command again to finish it.

            Exits with 65 when a credential cannot be opened; both keys are then kept.
            """
    )

    @Option(help: ArgumentHelp("Where the new key goes, when the configuration has the key itself.", valueName: "file"))
    var newKeyFile: String?

    @OptionGroup
    var option: VaultOption

    func run() throws {
        try option.withVault { vault, configuration throws(VaultError) in
            guard let vault else {
                StandardError.print(
                    "paraph: The vault \(configuration.vault.directory) does not exist yet: there is nothing to re-key."
                )
                return .badData
            }
            let path = newKeyFile.map { Self.absolutePath($0) }
            let rekeying = try vault.rekey(newKeyFile: path)
            let report = RekeyingReport(rekeying: rekeying, key: configuration.vault.key, newKeyFile: path)
            for error in report.errors { StandardError.print("paraph: \(error)") }
            StandardOutput.print(report.text)
            return rekeying.isFinished ? .success : .badData
        }
    }

    private static func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}
