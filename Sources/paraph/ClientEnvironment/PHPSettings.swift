/// Settings for PHP, whose curl functions read no variable for their CAs: a file in a directory of such files, which is
/// read after the system's.
enum PHPSettings {
    static let name = "paraph.ini"

    static func text(roots: String) -> String {
        """
        curl.cainfo = "\(roots)"
        openssl.cafile = "\(roots)"

        """
    }

    /// `PHP_INI_SCAN_DIR`. An empty part of it stands for the directory that PHP was built with.
    static func directories(present: String?, adding directory: String) -> String {
        let parts = (present ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        return (parts.filter { $0 != directory } + [directory]).joined(separator: ":")
    }
}
