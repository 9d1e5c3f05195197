/// As much of `AdminServer`'s error as its parsers throw: the whole one needs Hummingbird.
enum AdminRefusal: Error {
    case malformedBody(reason: String)
    case fieldsMissing([RegistrationFields.Name])
}
