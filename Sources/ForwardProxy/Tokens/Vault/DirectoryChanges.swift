/// The changes of a vault's files, in one go.
package struct DirectoryChanges: Sendable, Equatable {
    /// Of the files that were put in place or removed; each once, in the order of the first change.
    package var fileNames: [String] = []
    /// Indicates whether changes of any file may have gone untold: there were too many at once, or the directory itself
    /// was moved or removed. In the latter case nothing more will be told.
    package var overflowed = false

    var isEmpty: Bool { fileNames.isEmpty && !overflowed }
}
