// oauth.h uses size_t without saying where it comes from.
#include <stddef.h>
#include <oauth.h>

// The parameters as the Authorization field has them. Here because a separator that is not const cannot be a Swift literal.
static inline char *liboauth_authorization(int count, char **parameters) {
    return oauth_serialize_url_sep(count, 1, parameters, ", ", 6);
}
