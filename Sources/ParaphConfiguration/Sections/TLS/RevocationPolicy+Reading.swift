import FoundationEssentials
import UpstreamTrust

extension RevocationPolicy {
    /// `revocation`; `nil` when there is none, or a mistake was reported.
    static func read(_ section: Section) -> RevocationPolicy? {
        defer { section.finish() }
        let files = section.required("crls")
        let onMissing = section.required("on_missing")?.choice(of: RevocationAction.self)
        guard let files, let items = files.items() else { return nil }
        if items.isEmpty { files.report("is an empty list; name files of revocation lists, or leave out revocation") }
        let lists = items.map { $0.revocationLists() }
        guard let onMissing, !items.isEmpty, !lists.contains(where: { $0 == nil }) else { return nil }
        return RevocationPolicy(lists: lists.flatMap { $0 ?? [] }, onMissing: onMissing)
    }
}

extension Value {
    /// The revocation lists of a file that is named; `nil` when a mistake was reported.
    fileprivate func revocationLists() -> [RevocationList]? {
        guard let name = word() else { return nil }
        let path = context.resolve(name)
        guard let bytes = bytes(ofFile: path, shownAs: ShownName.file(name, resolved: path)) else { return nil }
        do {
            let lists = try RevocationListFile.parse(bytes)
            for list in lists {
                if list.nextUpdate < context.now {
                    advise(
                        .warning,
                        "holds a revocation list that is out of date: the next one was due on "
                            + "\(UTCText.format(list.nextUpdate)). Put that one in its place"
                    )
                } else if list.thisUpdate > context.now {
                    advise(
                        .warning,
                        "holds a revocation list that counts from \(UTCText.format(list.thisUpdate)) on, and not yet"
                    )
                }
            }
            return lists
        } catch {
            report("names \(ShownName.file(name, resolved: path)): \(error)")
            return nil
        }
    }
}
