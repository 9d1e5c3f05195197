"""A provider, a configuration and everything else around a proxy, with a distinct secret in every place for one."""

import base64
import itertools
import secrets
import subprocess
from pathlib import Path

from ..canaries import Canaries
from ..connect_proxy import ConnectProxy
from ..evidence import Command, Evidence
from ..paraph import Paraph
from ..provider import Provider
from ..waiting import LIMIT
from .configuration import Configuring
from .planted import TAIL, VISIBLE_TAIL, PlantedApplication, plant_private_key
from .provider import Providing
from .running import RunningProxy

__all__ = ["TAIL", "VISIBLE_TAIL", "Estate", "RunningProxy"]


class Estate(Configuring, Providing):
    def __init__(self, binary, folder: Path, certificates):
        self.binary, self.folder, self.certificates = binary, folder, certificates
        self.canaries = Canaries()
        self.evidence = Evidence(folder, self.canaries)
        self.provider = Provider(certificates)
        self.provider.handler = lambda target: self.handle
        self.main = self.provider.listen(certificates.good, through_proxy=False)
        self.stranger = self.provider.listen(certificates.untrusted, through_proxy=False)
        self.elsewhere = self.provider.listen(certificates.other, through_proxy=False)
        self.demanding = self.provider.listen(
            certificates.good, through_proxy=False, client_roots=certificates.root_file
        )
        self.script, self.sent = {}, {}
        self.numbers = itertools.count(1)
        self.environment, self.files = {}, {}
        self.oauth2_grants, self.oauth2_tokens, self.refresh_tokens = {}, {}, {}
        self.ids = {}
        self.temporary = {}
        self.make_secrets()

    # Secrets

    def plant(self, what, tail=TAIL):
        return self.canaries.plant(what, tail)

    def in_variable(self, value):
        """The environment of every process has it."""
        name = next((n for n, v in self.environment.items() if v == value), f"LEAKS_{next(self.numbers)}")
        self.environment[name] = value
        return {"env": name}

    def in_file(self, value):
        if value not in self.files:
            path = self.evidence.write(self.folder / "secrets" / f"secret{next(self.numbers)}", value + "\n")
            self.files[value] = str(path)
        return {"file": self.files[value]}

    def application(self, name, rsa_key=False):
        made = PlantedApplication(self.canaries, name, rsa_key)
        self.provider.applications[made.key] = made
        return made

    def make_secrets(self):
        """What the configuration is made of."""
        self.signed = self.application("signed")
        self.by_variable = self.application("by_variable")
        self.by_file = self.application("by_file")
        self.platform = self.application("platform")
        self.plain = self.application("plain")
        self.rsa = self.application("rsa", rsa_key=True)
        self.rsa_by_file = self.application("rsa_by_file", rsa_key=True)
        self.platform_token = self.platform.issue("platform")
        self.signed.reverse_auth.sign_with_platform(self.platform, self.platform_token)
        self.tokens = {
            name: application.issue(name)
            for name, application in (
                ("default", self.signed),
                ("variable", self.by_variable),
                ("file", self.by_file),
                ("plain", self.plain),
                ("rsa", self.rsa),
                ("rsa_by_file", self.rsa_by_file),
            )
        }
        self.xauth_password = self.plant("xAuth password")
        self.passwords = {"members": self.plant("password of members"), "standard": self.plant("password of standard")}
        self.client_secrets = {n: self.plant(f"client secret of {n}") for n in ("members", "standard")}
        self.bearer = self.plant("bearer token", VISIBLE_TAIL)
        self.oauth2_tokens[self.bearer] = "page"
        self.client_passwords = {n: self.plant(f"proxy password of {n}") for n in ("billing", "limited")}
        self.ways_out = {
            name: ConnectProxy("paraph", self.plant(f"password for the upstream proxy, {name}"))
            for name in ("open", "barred")
        }
        self.ways_out["barred"].behave = self.ways_out["barred"].refuse_and_echo
        self.identities = {
            "known": self.identity("known"),
            "unknown": self.identity("unknown", self.certificates.stranger),
        }
        self.admin_token = self.plant("enrolment token", VISIBLE_TAIL)
        self.vault_key = base64.b64encode(secrets.token_bytes(32)).decode()
        self.canaries.know("vault key", self.vault_key)
        self.canaries.know("vault key, decoded", base64.b64decode(self.vault_key))

    def identity(self, title, authority=None):
        """A client certificate and its key, as the configuration names them."""
        certificate, key = self.certificates.client(f"leaks-{title}", authority)
        plant_private_key(self.canaries, f"private key of the {title} client", key.read_bytes())
        self.evidence.may_hold_secrets(key)
        return {"client_certificate": str(certificate), "client_private_key": str(key)}

    # Processes

    def command(self, title, *arguments, folder=None, environment=None, **options):
        return Command(
            self.evidence,
            title,
            [self.binary, *arguments],
            cwd=folder or self.folder,
            environment={**self.environment, **(environment or {})},
            **options,
        )

    def done(self, title, *arguments, stdin="", expected=None, **options):
        """Runs a command to its end; what it said and its exit code."""
        command = self.command(title, *arguments, stdin=stdin, **options)
        code = command.wait()
        assert expected is None or code in expected, f"{title} ended with {code}:\n{command.text}"
        # A crash is no answer.
        assert 0 <= code < 128, f"{title} ended with {code}:\n{command.text}"
        return code, command.text

    def unseen(self, *arguments):
        """What a command says; it is the caller's to judge what of it is evidence."""
        environment = {**Paraph.environment(), **self.environment}
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True, env=environment, timeout=LIMIT)
        return done.stdout + done.stderr

    def check(self, everything=False):
        """The verdict: nothing that was gathered holds a secret."""
        found = self.evidence.findings(everything)
        assert not found, f"{len(found)} leaks:\n" + "\n".join(str(f) for f in found[:20])
