import ArgumentParser
import Bytes
import Credentials
import Files
import ParaphConfiguration

/// Copies the credentials of a vault in a directory into one in etcd, or back.
struct CopyAccounts: AsyncParsableCommand {
    /// A kind of store that keeps credentials.
    enum Place: String, CaseIterable, ExpressibleByArgument {
        case directory
        case etcd
    }

    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy every credential from a directory to etcd, or back.",
        discussion: """
            etcd is the configuration's vault.etcd. The directory has the same key, unless --directory-key names the file \
            of another one. Each credential is stored, loaded again and compared; nothing of the source is changed. Prints \
            a line for each: API, tab, account, tab, what became of it; and at last how many there were of each kind.

            Broken off at any moment, nothing is lost: run the command again to finish it. What is there already and is \
            the same is passed over. What is there and differs is kept, unless --replace is given.

            Exits with 65 when the destination does not have all that the source has; standard error tells the reasons.
            """
    )

    @Option(help: ArgumentHelp("Where the credentials are.", valueName: "store"))
    var from: Place

    @Option(help: ArgumentHelp("Where they are to be: the other one.", valueName: "store"))
    var to: Place

    @Option(
        help: ArgumentHelp(
            "The directory. By default that of a configuration without vault: vault, in the folder that state names.",
            valueName: "path"
        ),
        completion: .directory
    )
    var directory: String?

    @Option(
        help: ArgumentHelp(
            "The file with the directory's vault key, where that is another than the configuration's.",
            discussion: "It is made when it does not exist and nothing is in the directory yet.",
            valueName: "file"
        ),
        completion: .file()
    )
    var directoryKey: String?

    @Flag(help: "Let what the source has take the place of what is there and differs.")
    var replace = false

    @OptionGroup
    var option: ConfigurationOption

    func validate() throws {
        guard from != to else {
            throw ValidationError("--from and --to are the two different ones of directory and etcd.")
        }
    }

    func run() async throws {
        ProcessHardening.apply()
        let configuration = try await option.load()
        guard case .etcd(_, let key) = configuration.vault else { throw refusal(Self.lacksEtcd(configuration)) }
        let path = directory.map { Directory.absolutePath(of: $0) } ?? "\(configuration.stateDirectory)/vault"
        let keySource: VaultKeySource =
            directoryKey.map { .file(path: Directory.absolutePath(of: $0)) } ?? .value(key)
        do {
            guard let files = try await opened(.directory(path: path, key: keySource)) else {
                throw refusal(
                    "The directory \(path) does not exist, or is no vault yet: there is nothing to copy. Name the one "
                        + "that has the credentials: --directory PATH."
                )
            }
            let shared = try await BlockingWork.run { try OpenedStore.open(configuration.vault) }
            let isComplete = try await shared.closing {
                from == .directory ? try await copy(files, into: shared) : try await copy(shared, into: files)
            }
            guard isComplete else { throw ExitCode.badData }
        } catch let code as ExitCode {
            throw code
        } catch {
            throw refusal("\(error)")
        }
    }

    /// Opens the directory, which is made when it is the destination.
    /// - Returns: Nil when there is nothing to copy.
    private func opened(_ settings: VaultSettings) async throws -> OpenedStore? {
        guard to == .directory else { return try await BlockingWork.run { try OpenedStore.openExisting(settings) } }
        let opened = try await BlockingWork.run { try OpenedStore.open(settings) }
        // Two keys in one directory: no proxy could open all of it.
        guard let name = try await opened.store.listing().names.first else { return opened }
        do throws(VaultError) {
            _ = try await opened.store.load(name)
        } catch {
            if case .otherKey = error { throw refusal("\(error) \(Self.keyAdvice)") }
        }
        return opened
    }

    /// - Returns: Whether the destination has all that the source has.
    private func copy(_ source: OpenedStore, into destination: OpenedStore) async throws -> Bool {
        var report = CopyReport(source: source.name, destination: destination.name)
        var needsKey = false
        let copying = CredentialCopying(source: source.store, destination: destination.store, replaces: replace)
        // On a terminal the lines about accounts say how far it is.
        var progress = ProgressLine(besideOutput: true)
        defer { progress.end() }
        do {
            let nameless = try await copying.copyAll {
                progress.show("Copying credentials", $0, of: $1)
            } _: { name, outcome in
                let (line, problem) = report.add(name, outcome)
                StandardOutput.print(line)
                if let problem { StandardError.print("paraph: \(problem)") }
                if case .unreadable(.otherKey) = outcome { needsKey = true }
            }
            for error in nameless {
                report.addNameless()
                StandardError.print("paraph: \(error)")
            }
        } catch {
            report.breakOff()
            StandardError.print("paraph: \(error)")
        }
        if needsKey { StandardError.print("paraph: \(Self.keyAdvice)") }
        StandardOutput.print(report.text)
        return report.isComplete
    }

    private static let keyAdvice =
        "If the directory's vault key is another than the configuration's, name its file: --directory-key FILE."

    private static func lacksEtcd(_ configuration: Configuration) -> String {
        "accounts copy needs vault.etcd in the configuration, and that keeps its credentials in the directory "
            + "\(configuration.vault.name). Put vault.etcd in place of vault.directory, with the same vault.key; for a try, "
            + "into a second file, which --config names. Then name the directory: "
            + "--directory \(shellQuoted(configuration.vault.name))"
    }

    private func refusal(_ sentence: String) -> ExitCode {
        StandardError.print("paraph: \(sentence)")
        return .badData
    }
}
