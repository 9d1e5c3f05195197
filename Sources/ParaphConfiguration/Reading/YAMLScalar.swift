/// A single value of a YAML file.
struct YAMLScalar {
    var text: String
    /// Neither in quotes nor a block (`|`, `>`).
    var isPlain: Bool
    /// Indicates whether it has a tag that says it is something else than text.
    var hasForeignTag: Bool
}
