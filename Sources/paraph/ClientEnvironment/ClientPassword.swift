/// A client's password is never printed: in its place the lines of `paraph env` name a variable, which the shell that
/// reads them knows.
enum ClientPassword {
    static let variable = "PARAPH_CLIENT_PASSWORD"
    /// Stands for the variable's value within a text.
    static let reference = "${\(variable)}"
}
