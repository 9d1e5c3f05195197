/// The sentence about values that whoever wrote a request down has left out.
enum HiddenValues {
    static let note =
        "Values were left out where the request was written down (…): with what stands there, no signature of it is right."
}
