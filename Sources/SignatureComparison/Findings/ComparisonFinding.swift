import OAuthSigning

/// One thing that two signers did differently.
package struct ComparisonFinding: Equatable, Sendable {
    package enum Certainty: String, Sendable {
        /// The other side's signature (or base string) comes out with this difference, and not without it.
        case proven
        /// The cause can be seen in what the other side sent.
        case seen
        /// The cause is the only one looked for that explains the other side's signature.
        case likely
        /// The fact can be seen, and does not set the two apart; a provider may refuse it all the same.
        case remark
    }

    package let cause: ComparisonCause
    package let certainty: Certainty
    /// A sentence for a person; never with a secret in it.
    package let sentence: String
    /// Differences that come to the very same for this request: which of them it was cannot be told.
    package var alternatives: [ComparisonFinding] = []
}

/// A thing that two signers can do differently.
package enum ComparisonCause: String, CaseIterable, Sendable {
    // The method and the base string URI (RFC 5849, sections 3.4.1.1 and 3.4.1.2).
    case method
    case methodCase = "method_case"
    case scheme
    case host
    case hostCase = "host_case"
    case portKept = "port_kept"
    case portDropped = "port_dropped"
    case path
    case pathCase = "path_case"
    case trailingSlash = "trailing_slash"
    case pathNormalized = "path_normalized"
    case pathPrefix = "path_prefix"
    case queryInURI = "query_in_uri"
    case fragmentInURI = "fragment_in_uri"

    // Which parameters are signed, and what of them (RFC 5849, section 3.4.1.3.1).
    case queryNotSigned = "query_not_signed"
    case formCharset = "form_charset"
    case formNotSigned = "form_not_signed"
    case bodySignedAsForm = "body_signed_as_form"
    case duplicateDropped = "duplicate_dropped"
    case duplicateJoined = "duplicate_joined"
    case arrayIndexed = "array_indexed"
    case emptyParameterDropped = "empty_parameter_dropped"
    case equalsMissing = "equals_missing"
    case semicolonSeparator = "semicolon_separator"
    case plusKept = "plus_kept"
    case parameterNotSigned = "parameter_not_signed"
    case parameterAdded = "parameter_added"
    case parameterValue = "parameter_value"
    case realmSigned = "realm_signed"
    case signatureSigned = "signature_signed"

    // How they are written (RFC 5849, section 3.6).
    case plusForSpace = "plus_for_space"
    case doubleEncoding = "double_encoding"
    case missingEncoding = "missing_encoding"
    case queryAsWritten = "query_as_written"
    case lowercaseHex = "lowercase_hex"
    case overEncoding = "over_encoding"
    case reservedNotEncoded = "reserved_not_encoded"
    case formEncoding = "form_encoding"
    case characterSet = "character_set"

    // In which order (RFC 5849, section 3.4.1.3.2).
    case sortedBeforeEncoding = "sorted_before_encoding"
    case sortedByNameOnly = "sorted_by_name_only"
    case sortedAsPairs = "sorted_as_pairs"
    case sortedIgnoringCase = "sorted_ignoring_case"
    case sortedInGroups = "sorted_in_groups"
    case notSorted = "not_sorted"

    // With which key (RFC 5849, section 3.4.2).
    case tokenSecretMissing = "token_secret_missing"
    case tokenSecretAdded = "token_secret_added"
    case consumerSecretMissing = "consumer_secret_missing"
    case ampersandMissing = "ampersand_missing"
    case secretNotEncoded = "secret_not_encoded"
    case secretEncodedTwice = "secret_encoded_twice"
    case secretsSwapped = "secrets_swapped"
    case secretWhitespace = "secret_whitespace"
    case identifierForSecret = "identifier_for_secret"
    case keyEncoded = "key_encoded"
    case wrongKey = "wrong_key"
    case hash

    // What is sent (RFC 5849, sections 3.1 and 3.5.1).
    case consumerKey = "consumer_key"
    case token
    case tokenAbsent = "token_absent"
    case tokenEmpty = "token_empty"
    case signatureMethod = "signature_method"
    case version
    case versionAbsent = "version_absent"
    case nonce
    case timestamp
    case timestampFar = "timestamp_far"
    case timestampMalformed = "timestamp_malformed"
    case realm
    case bodyHash = "body_hash"
    case bodyHashAbsent = "body_hash_absent"
    case bodyHashAdded = "body_hash_added"
    case parameterAbsent = "parameter_absent"
    case parameterRepeated = "parameter_repeated"
    case parameterNotEncoded = "parameter_not_encoded"
    case signatureNotEncoded = "signature_not_encoded"
    case signatureEncodedTwice = "signature_encoded_twice"
    case signatureFormat = "signature_format"
}
