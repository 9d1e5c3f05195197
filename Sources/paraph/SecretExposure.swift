import Bytes
import Files
import ParaphConfiguration

/// Looks for secrets of a configuration that other users of this machine can read.
enum SecretExposure {
    static func advice(on configuration: Configuration) -> [Advice] {
        var told: Set<String> = []
        return configuration.secretPlaces.sorted { $0.position < $1.position }.compactMap { place in
            let path = place.file ?? configuration.file
            // Whom root hands a file to by its group may read it: it is often that user who runs the proxy, not this
            // one.
            guard !isMounted(path), let exposure = FileContents.rights(path)?.exposure, !exposure.isHandedToGroup,
                told.insert(path).inserted
            else { return nil }
            let subject =
                place.file == nil ? "is a secret, and this file" : "is a secret in \(PrintableText(path)), which"
            return Advice(
                .warning,
                at: place.position,
                "\(place.setting) \(subject) \(exposure.problem); \(exposure.remedy(shellQuoted(path)))"
            )
        }
    }

    /// Returns whether a file was handed to a container: it has the rights that the runtime gives it, and is seen by
    /// nobody else.
    private static func isMounted(_ path: String) -> Bool {
        path.hasPrefix("/run/secrets/") || PathTrail(path).isMountedByKubelet
    }
}
