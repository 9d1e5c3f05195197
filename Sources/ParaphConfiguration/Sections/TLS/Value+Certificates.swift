import UpstreamTrust
import X509

extension Value {
    /// The certificates of a PEM file that is named; `nil` when a mistake was reported.
    func certificates() -> [Certificate]? {
        guard let name = word() else { return nil }
        let path = context.resolve(name)
        guard let bytes = bytes(ofFile: path, shownAs: ShownName.file(name, resolved: path)) else { return nil }
        do {
            return try PEMCertificates.parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            report("names \(ShownName.file(name, resolved: path)): \(error)")
            return nil
        }
    }

    /// - Parameter name: As which a mistake names the file.
    func bytes(ofFile path: String, shownAs name: String) -> [UInt8]? {
        do throws(FileContents.Failure) {
            return try FileContents.read(path, limit: 4 << 20)
        } catch {
            switch error {
            case .unreadable(let reason): report("names \(name), which cannot be read: \(reason)")
            case .tooLarge: report("names \(name), which is larger than 4MiB")
            }
            return nil
        }
    }
}
