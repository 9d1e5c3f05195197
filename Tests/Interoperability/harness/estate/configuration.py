"""A configuration with a distinct secret in every place for one."""

import base64

from cryptography.hazmat.primitives.serialization import PrivateFormat

from ..paraph import LONG, yaml


class Configuring:
    """The part of an estate that writes its configurations."""

    HOST = "{}.test.example"

    def host(self, name):
        return self.HOST.format(name)

    def url(self, api, path):
        return f"https://{self.host(api)}{path}"

    def oauth1(self, application, secret=None, **more):
        return {"consumer_key": application.key, "consumer_secret": secret or application.secret, **more}

    @staticmethod
    def issued(token, secret=None):
        return {"token": token.value, "token_secret": secret or token.secret}

    def reverse_auth(self, api, path="/oauth"):
        return {
            "reverse_auth": {
                "request_token_url": self.url(api, f"{path}/request_token"),
                "access_token_url": self.url(api, f"{path}/access_token"),
                "signed_as": {
                    "consumer_key": self.platform.key,
                    "consumer_secret": self.in_variable(self.platform.secret),
                    "token": self.platform_token.value,
                    "token_secret": self.in_file(self.platform_token.secret),
                },
            }
        }

    def xauth(self, api, path="/xauth/access_token"):
        return {
            "xauth": {
                "access_token_url": self.url(api, path),
                "username": "señor",
                "password": self.in_variable(self.xauth_password),
            }
        }

    def three_legged(self, api, **more):
        return {
            "three_legged": {
                "request_token_url": self.url(api, "/legs/request_token"),
                "authorize_url": self.url(api, "/legs/authorize"),
                "access_token_url": self.url(api, "/legs/access_token"),
                **more,
            }
        }

    def password(self, api):
        return {"password": {"username": f"user of {api}", "password": self.in_file(self.passwords[api])}}

    def api(self, name, connect_to=None, tls=None, **more):
        return {
            "hosts": [self.host(name)],
            "connect_to": (connect_to or self.main).address,
            "tls": {"trust": [str(self.certificates.root_file)], **(tls or {})},
            **more,
        }

    def upstream_proxy(self, name, written):
        way_out = self.ways_out[name]
        return way_out.settings(password=written(way_out.password))

    def accounts_of_signed(self, api="signed"):
        return {
            "default": self.issued(self.tokens["default"]),
            "variable": {
                **self.issued(self.tokens["variable"], self.in_variable(self.tokens["variable"].secret)),
                "oauth1": self.oauth1(self.by_variable, self.in_variable(self.by_variable.secret)),
            },
            "file": {
                **self.issued(self.tokens["file"], self.in_file(self.tokens["file"].secret)),
                "oauth1": self.oauth1(self.by_file, self.in_file(self.by_file.secret)),
            },
            "reverse": self.reverse_auth(api),
            "xauth": self.xauth(api),
            "pin": self.three_legged(api, callback="oob"),
            "browser": self.three_legged(api),
            "old": self.three_legged(api, callback="oob", version="1.0"),
            "app": {"two_legged": True},
        }

    def configuration(self, *, level="trace", form="json", accounts=0, **more):
        """`accounts` is how many further accounts there are of each kind that exchanges: xauth0, reverse0…"""
        wrong = "sha256/" + base64.b64encode(bytes(32)).decode()
        other = "sha256/" + base64.b64encode(bytes(31) + b"\1").decode()
        hmac = self.oauth1(self.signed)
        default = {"default": self.issued(self.tokens["default"])}
        signed = self.accounts_of_signed()
        for n in range(accounts):
            signed[f"xauth{n}"] = self.xauth("signed")
            signed[f"reverse{n}"] = self.reverse_auth("signed")
        plain = {"signature_method": "PLAINTEXT"}
        own_plain = {"default": self.issued(self.tokens["plain"])}
        apis = {
            "signed": self.api("signed", oauth1=hmac, accounts=signed),
            "kept": self.api(
                "kept", oauth1=hmac, accounts=default, signing={"on_existing_authorization": "keep", "max_body": 1024}
            ),
            "strict": self.api(
                "strict", oauth1=hmac, accounts=default, signing={"on_existing_authorization": "refuse"}
            ),
            "impatient": self.api("impatient", oauth1=hmac, accounts=default, timeouts={"response_header": "1s"}),
            "plain": self.api("plain", oauth1=self.oauth1(self.plain, **plain), accounts=own_plain),
            "plainquery": self.api(
                "plainquery", oauth1=self.oauth1(self.plain, placement="query", **plain), accounts=own_plain
            ),
            "plainbody": self.api(
                "plainbody", oauth1=self.oauth1(self.plain, placement="body", **plain), accounts=own_plain
            ),
            "rsa": self.api(
                "rsa",
                oauth1=self.oauth1(
                    self.rsa,
                    signature_method="RSA-SHA256",
                    private_key=self.rsa.private_key[PrivateFormat.PKCS8].decode(),
                ),
                accounts={
                    "default": self.issued(self.tokens["rsa"]),
                    "file": {
                        **self.issued(self.tokens["rsa_by_file"]),
                        "oauth1": self.oauth1(
                            self.rsa_by_file,
                            private_key=self.in_file(
                                self.rsa_by_file.private_key[PrivateFormat.TraditionalOpenSSL].decode()
                            ),
                        ),
                    },
                },
            ),
            "members": self.api(
                "members",
                oauth2={
                    "token_url": self.url("members", "/token/members"),
                    "client_id": "paraph",
                    "client_secret": self.in_variable(self.client_secrets["members"]),
                    "header": 'Token token="{token}"',
                },
                accounts={"default": self.password("members")},
            ),
            "standard": self.api(
                "standard",
                oauth2={
                    "token_url": self.url("standard", "/token/standard"),
                    "client_id": "paraph & co",
                    "client_secret": self.client_secrets["standard"],
                    "client_authentication": "basic",
                },
                accounts={"default": self.password("standard")}
                | {f"password{n}": self.password("standard") for n in range(accounts)},
            ),
            "facebook": self.api("facebook", bearer={}, accounts={"default": {"token": self.in_variable(self.bearer)}}),
            "pinned": self.api(
                "pinned",
                tls={"pinning": {"mode": "public_key", "pins": [wrong, other]}},
                oauth1=hmac,
                accounts={**default, "xauth": self.xauth("pinned"), "pin": self.three_legged("pinned", callback="oob")},
            ),
            "untrusted": self.api(
                "untrusted",
                self.stranger,
                oauth1=hmac,
                accounts={
                    **default,
                    "reverse": self.reverse_auth("untrusted"),
                    "pin": self.three_legged("untrusted", callback="oob"),
                },
            ),
            "down": {
                **self.api(
                    "down",
                    oauth1=hmac,
                    accounts={
                        **default,
                        "xauth": self.xauth("down"),
                        "pin": self.three_legged("down", callback="oob"),
                    },
                ),
                "connect_to": "127.0.0.1:1",
            },
            "proxied": self.api(
                "proxied",
                oauth1=hmac,
                accounts={
                    **default,
                    "xauth": self.xauth("proxied"),
                    "pin": self.three_legged("proxied", callback="oob"),
                },
                upstream_proxy=self.upstream_proxy("open", self.in_variable),
            ),
            "barred": self.api(
                "barred",
                oauth1=hmac,
                accounts={
                    **default,
                    "xauth": self.xauth("barred"),
                    "pin": self.three_legged("barred", callback="oob"),
                },
                upstream_proxy=self.upstream_proxy("barred", self.in_file),
            ),
            "identified": self.api(
                "identified", self.demanding, self.identities["known"], oauth1=hmac, accounts=default
            ),
            "unidentified": self.api(
                "unidentified",
                self.demanding,
                self.identities["unknown"],
                oauth1=hmac,
                accounts={**default, "xauth": self.xauth("unidentified")},
            ),
            "downmembers": {
                **self.api(
                    "downmembers",
                    oauth2={
                        "token_url": self.url("downmembers", "/token/members"),
                        "client_id": "paraph",
                        "client_secret": self.client_secrets["members"],
                    },
                    accounts={"default": self.password("members")},
                ),
                "connect_to": "127.0.0.1:1",
            },
        }
        self.accounts = {name: list(api["accounts"]) for name, api in apis.items()}
        return {
            "listen": {"proxy": "127.0.0.1:0", "admin": "127.0.0.1:0"},
            "log": {"level": level, "format": form},
            "inspector": {"keep": True},
            "timeouts": LONG,
            "vault": {"key": self.in_variable(self.vault_key)},
            "access": {
                "clients": [
                    {"name": "billing", "password": self.in_file(self.client_passwords["billing"])},
                    {"name": "limited", "password": self.client_passwords["limited"], "apis": ["facebook"]},
                ],
                "connect_ports": [443, self.elsewhere.port],
            },
            "enrolment": {
                "token": self.in_variable(self.admin_token),
                "access_types": {
                    "0": {"api": "members", "verify_url": self.url("members", "/me"), "id": "id"},
                    "1": {"api": "facebook", "verify_url": self.url("facebook", "/me"), "id": "id"},
                    "2": {"api": "signed", "verify_url": self.url("signed", "/me"), "id": "id"},
                },
            },
            "apis": apis,
            **more,
        }

    def write_configuration(self, folder, configuration):
        return self.evidence.write(folder / "paraph.yaml", yaml(configuration) + "\n")
