import Bytes
import CredentialStores
import Credentials
import Files
import FoundationEssentials
import ForwardProxy
import LocalAuthority
import ParaphConfiguration
import Routing
import Settings
import UpstreamTrust

/// The local CA and the vault. Nothing is made that is not there.
struct StateExamination {
    let configuration: Configuration

    private var option: String { "--config \(shellQuoted(configuration.file))" }

    /// Asks etcd as well where proxies share the CA and something is wrong with this one's files: they may be older
    /// ones.
    func findingsOfAuthority() async -> [Finding] {
        let findings = await BlockingWork.run { authorityFindings() }
        guard findings.contains(where: { [.warns, .fails].contains($0.verdict) }),
            let successor = try? await successorOfAuthority()
        else { return findings }
        return await BlockingWork.run { authorityFindings(successor: successor) }
    }

    /// Returns the CA that proxies share, where it is another one than that of the files.
    private func successorOfAuthority() async throws -> AuthorityCertificate? {
        guard configuration.authority.isShared else { return nil }
        let (path, settings) = (configuration.authority.certificate, configuration.vault)
        let (here, opened) = try await BlockingWork.run {
            (try AuthorityCertificate.read(path: path), try OpenedStore.openExisting(settings))
        }
        guard let here, let opened else { return nil }
        return try await opened.closing { try await SharedAuthority(configuration, opened)?.successor(of: here) }
    }

    /// Reads files: for a thread that may wait.
    /// - Parameter successor: The CA that a reload takes in place of that of the files; nil: none.
    func authorityFindings(successor: AuthorityCertificate? = nil) -> [Finding] {
        let subject = "local CA"
        let files = configuration.authority
        do {
            let found = try LocalAuthority.load(
                certificatePath: files.certificate,
                keyPath: files.privateKey,
                now: Date()
            )
            guard let authority = found else {
                let source = files.isShared ? "takes it from etcd, or makes it for all proxies" : "makes it"
                return [Finding(subject, .leftOut, "the first start \(source), in \(files.certificate)")]
            }
            let report = AuthorityReport(
                authority.certificate,
                configuration: configuration,
                now: Date(),
                successor: successor
            )
            guard report.sentences.isEmpty else {
                let verdict: Finding.Verdict = report.uncovered.isEmpty ? .warns : .fails
                let renew =
                    if report.isRenewed {
                        ["pkill -HUP -x paraph   # reloads the configuration and the CA"]
                    } else if authority.certificate.wasMadeByParaph {
                        ["paraph ca renew \(option)"]
                    } else {
                        [String]()
                    }
                return report.sentences.map { sentence in
                    var finding = Finding(subject, verdict, sentence)
                    finding.remedies = renew
                    return finding
                }
            }
            let until = UTCText.format(authority.certificate.notValidAfter)
            let hosts = configuration.proxy.apis.flatMap(\.route.hosts).count
            return [Finding(subject, .works, "valid until \(until); reaches every configured host (\(hosts))")]
        } catch .keyIsReadableByOthers(let path, let exposure) {
            var finding = Finding(
                subject,
                .fails,
                "\(LocalAuthorityError.keyIsReadableByOthers(path: path, exposure))"
            )
            finding.remedies = exposure.command(shellQuoted(path)).map { [$0] } ?? []
            return [finding]
        } catch {
            return [Finding(subject, .fails, "\(error)")]
        }
    }

    func vaultFindings() async -> [Finding] {
        let subject = "vault"
        do {
            let settings = configuration.vault
            let opened = try await BlockingWork.run { try OpenedStore.openExisting(settings) }
            guard let opened else {
                return [Finding(subject, .leftOut, "the first start makes it, in \(settings.name)")] + missing(in: [])
            }
            return try await opened.closing {
                let servers = await StoreExamination(opened).serverFindings()
                return servers + (await findings(of: opened))
            }
        } catch {
            return [Finding(subject, .fails, "\(error)")]
        }
    }

    private func findings(of opened: OpenedStore) async -> [Finding] {
        let subject = "vault"
        do {
            if let etcd = opened.etcd {
                let isBegun = try await etcd.isBegun()
                do throws(VaultError) {
                    try await etcd.checkWriting()
                } catch {
                    return [unwritable(opened, error)]
                }
                guard isBegun else {
                    return [Finding(subject, .leftOut, "nothing is stored yet; \(opened.name) can be written")]
                        + missing(in: [])
                }
            }
            let authority = try await sharedAuthorityFindings(opened)
            let contents = try await opened.store.contents()
            let names = contents.credentials.map(\.name)
            if !contents.errors.isEmpty {
                return authority + contents.errors.map(unreadable) + missing(in: names)
            }
            let count = names.count == 1 ? "1 credential" : "\(names.count) credentials"
            return authority + [Finding(subject, .works, "\(opened.name) can be read, and holds \(count)")]
                + missing(in: names)
        } catch let error as VaultError {
            return [unreadable(error)]
        } catch {
            return [Finding(subject, .fails, "\(error)")]
        }
    }

    private func unreadable(_ error: VaultError) -> Finding {
        var finding = Finding("vault", .fails, "\(error)")
        if case .etcd(let etcd, key: _) = configuration.vault {
            finding.remedies = StoreExamination.remedies(error, prefix: etcd.prefix)
        }
        return finding
    }

    private func sharedAuthorityFindings(_ opened: OpenedStore) async throws -> [Finding] {
        do {
            guard try await SharedAuthority(configuration, opened)?.isFollowed() == false else { return [] }
        } catch is LocalAuthorityError {
            // What is wrong with the files, their own examination tells.
            return []
        }
        return [
            Finding(
                "local CA",
                .warns,
                "etcd has another one than \(configuration.authority.certificate): a reload or a start takes that"
            )
        ]
    }

    private func unwritable(_ opened: OpenedStore, _ error: VaultError) -> Finding {
        var finding = Finding("vault", .fails, "\(opened.name) can be read, but not written: \(error)")
        if case .etcd(let etcd, key: _) = configuration.vault, case .etcdRefused = error {
            finding.remedies = [
                "etcdctl role grant-permission ROLE readwrite --prefix=true \(shellQuoted(etcd.prefix))"
            ]
        }
        return finding
    }

    /// Accounts whose tokens a person has to fetch.
    private func missing(in names: [CredentialName]) -> [Finding] {
        configuration.proxy.apis.flatMap { api in
            api.accounts.compactMap { account in
                guard case .threeLegged = account.source,
                    !names.contains(CredentialName(api: api.name, account: account.name))
                else { return nil }
                let login = LoginCommand.text(api: api.name, account: account.name)
                return Finding(
                    "account",
                    .fails,
                    "\(account.name) of apis.\(api.name) has no token yet",
                    remedy: "\(login) \(option)"
                )
            }
        }
    }
}
