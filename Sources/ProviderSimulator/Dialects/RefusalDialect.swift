/// In whose words a request that had to be signed is refused. What had to carry an access token is refused as RFC 6750
/// or oPRO has it, and a grant of OAuth 2 as RFC 6749 or oPRO has it.
package enum RefusalDialect: Sendable, CaseIterable {
    /// JSON with X's numbers; the token endpoints answer in plain text.
    case x
    case xXML
    case xText
    /// The OAuth Problem Reporting extension, in the body and in the challenge.
    case problemReporting
    case magento
    case mastercard
    case flickr
    case wooCommerce
    case netSuite

    var wording: any RefusalWording {
        switch self {
        case .x: XWording(format: .json)
        case .xXML: XWording(format: .xml)
        case .xText: XWording(format: .text)
        case .problemReporting: ProblemReportingWording()
        case .magento: MagentoWording()
        case .mastercard: MastercardWording()
        case .flickr: FlickrWording()
        case .wooCommerce: WooCommerceWording()
        case .netSuite: NetSuiteWording()
        }
    }
}
