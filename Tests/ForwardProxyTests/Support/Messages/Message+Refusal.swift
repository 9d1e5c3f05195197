extension Message {
    /// The member of the Proxy-Status field (RFC 9209) in which Paraph tells of a provider's refusal.
    struct Refusal: Equatable {
        var receivedStatus: Int
        var details: String
    }

    /// The refusal in the last Proxy-Status field; nil unless that is Paraph's, with a status and details alone.
    var refusal: Refusal? {
        guard let value = values("Proxy-Status").last, let item = try? StructuredItem(value), item.token == "paraph",
            case .integer(let status)? = item.parameters["received-status"],
            case .string(let details)? = item.parameters["details"], item.parameters.count == 2
        else { return nil }
        return Refusal(receivedStatus: status, details: details)
    }
}
