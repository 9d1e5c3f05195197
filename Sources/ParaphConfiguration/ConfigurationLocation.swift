import Files

/// Finds the configuration file when a command starts.
package struct ConfigurationLocation: Hashable, Sendable {
    /// The paths at which a file was looked for, in order.
    package let searched: [String]
    /// The first that was found.
    package let path: String?

    /// `--config`, then `$PARAPH_CONFIG`, then `./paraph.yaml`, then `/etc/paraph/paraph.yaml`. A file that is named
    /// in one of the first two ways is the one, whether it exists or not.
    /// - Parameters:
    ///   - option: The value of `--config`.
    ///   - exists: Whether a file exists at a path.
    package init(
        option: String?,
        environment: [String: String],
        exists: (String) -> Bool = { FileContents.exists($0) }
    ) {
        if let option {
            (searched, path) = ([option], option)
        } else if let named = environment["PARAPH_CONFIG"], !named.isEmpty {
            (searched, path) = ([named], named)
        } else {
            searched = ["paraph.yaml", "/etc/paraph/paraph.yaml"]
            path = searched.first(where: exists)
        }
    }
}
