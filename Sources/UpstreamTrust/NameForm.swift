/// The forms of names that name constraints tell apart (RFC 5280, section 4.2.1.6).
enum NameForm: Hashable, CaseIterable {
    case dns
    case ipAddress
    case email
    case uri
    case directory
    case otherName
    case x400Address
    case ediPartyName
    case registeredID
}
