import Foundation
import TestSupport

extension TestDirectory {
    /// Returns the files of a vault's directory, but for those that the vault has for itself.
    static func sealed(in path: String) throws -> [String] {
        for directory in [".temporary", ".rekey"] where access(path + "/" + directory, F_OK) == 0 {
            guard try names(in: path + "/" + directory).isEmpty else { return ["half-written files in " + directory] }
        }
        return try names(in: path).filter { ![".temporary", ".rekey"].contains($0) }
    }
}
