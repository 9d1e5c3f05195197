"""The provider's usual listeners, and the configurations that reach it."""

import socket

from .applications import secret
from .ipv6 import HAS_IPV6, need_ipv6


class World:
    HOST = "api.test.example"
    URL = "https://api.test.example"
    # For names that nobody has: the machine's own resolver is asked, and may have nobody who answers.
    RESOLVER = {"RES_OPTIONS": "timeout:1 attempts:2", "LOCALDOMAIN": ""}

    def __init__(self, provider, certificates):
        self.provider, self.certificates = provider, certificates
        self.main = provider.listen(certificates.good)
        self._main6 = provider.listen(certificates.good, family=socket.AF_INET6) if HAS_IPV6 else None
        # A server that no API names: reached by a blind tunnel, so that nothing is signed or added on the way.
        self.other = provider.listen(certificates.other, through_proxy=False)
        self.application = provider.new_application()
        self.tokens = {name: self.application.issue(name) for name in ("default", "alice", "bob")}

    @property
    def main6(self):
        """The main listener by IPv6; a test that asks for it is skipped where there is none."""
        need_ipv6()
        return self._main6

    @staticmethod
    def issued(token):
        return {"token": token.value, "token_secret": token.secret}

    def oauth1(self, application=None, **more):
        application = application or self.application
        return {"consumer_key": application.key, "consumer_secret": application.secret, **more}

    @property
    def secrets(self):
        """What signs for the account `default`, by the names of the files that config/ has it in."""
        application, token = self.application, self.tokens["default"]
        return {
            "consumer-key": application.key,
            "consumer-secret": application.secret,
            "token": token.value,
            "token-secret": token.secret,
        }

    def api(
        self,
        hosts=(HOST,),
        application=None,
        accounts=None,
        connect_to=None,
        tls=None,
        signing=None,
        oauth1=None,
        **more,
    ):
        """One entry of `apis`. By default: the main listener, three accounts, and one without a token."""
        if accounts is None:
            application = application or self.application
            accounts = (
                {n: self.issued(t) for n, t in self.tokens.items()}
                if application is self.application
                else {"default": self.issued(application.issue("default"))}
            )
            accounts["app"] = {"two_legged": True}
        entry = {"hosts": list(hosts), "oauth1": self.oauth1(application, **(oauth1 or {})), "accounts": accounts}
        if connect_to is not False:
            entry["connect_to"] = (connect_to or self.main).address
        entry["tls"] = {"trust": [str(self.certificates.root_file)], **(tls or {})}
        if signing:
            entry["signing"] = signing
        return {**entry, **more}

    def reverse_auth_account(self, application):
        """An account that has to be exchanged, and the platform application that signs the second step."""
        platform = self.provider.new_application()
        token = platform.issue("platform")
        application.reverse_auth.sign_with_platform(platform, token)
        return {
            "reverse_auth": {
                "request_token_url": f"{self.URL}/oauth/request_token",
                "access_token_url": f"{self.URL}/oauth/access_token",
                "signed_as": {
                    "consumer_key": platform.key,
                    "consumer_secret": platform.secret,
                    "token": token.value,
                    "token_secret": token.secret,
                },
            }
        }

    def configuration(self, apis=None, access=None, **more):
        """A whole configuration; without `apis`, the usual one."""
        if apis is None:
            address6 = self._main6.address if self._main6 else "[::1]"
            apis = {
                "main": self.api([self.HOST, f"{self.HOST}:8443", "*.wild.test.example"]),
                "literal": self.api([self.main.address, address6, f"localhost:{self.main.port}"], connect_to=False),
            }
        return {"apis": apis, "access": {"connect_ports": [443, self.other.port], **(access or {})}, **more}

    @staticmethod
    def password():
        return secret("pw")
