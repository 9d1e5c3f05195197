/// One signed parameter, encoded once, and where it came from.
package struct ExplainedParameter: Hashable, Sendable {
    package let name: String
    package let value: String
    package let origin: ParameterOrigin
}
