"""Asks `paraph explain --against` and `paraph verify` what a signer did wrong, and judges the answer."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.hazmat.primitives import serialization

LIMIT = 60
SECRETS = {"CONSUMER_SECRET": "consumer_secret", "TOKEN_SECRET": "token_secret"}
# These findings are lists of guesses, among them what other signers really did; they name nothing.
GUESSES = ("wrong_key", "unconfirmed")
# Nor does it that the signature is wrong, and that the fixed timestamps of the samples are old.
GENERAL = "signature_invalid"
AGE = re.compile(r"oauth_timestamp is \d+ s (behind|ahead)")
# Whole values that are quoted explain nothing, and a pattern may be found in them by chance.
QUOTED_VALUE = re.compile(r'"[^"\s]{16,}"')


def sentence_of(finding):
    """What is said of one cause; with it stand those that come to the very same for the request."""
    return " Or: ".join(one["sentence"] for one in [finding, *finding.get("or", [])])


@dataclass(frozen=True)
class Answer:
    """What was said in one run."""

    same: bool
    findings: tuple  # (cause, certainty, sentence)
    sentence: str
    text: str

    @property
    def said(self):
        """All sentences that name something."""
        sentences = [self.sentence, *(s for cause, _, s in self.findings if cause not in GUESSES and not AGE.match(s))]
        return QUOTED_VALUE.sub('"…"', "\n".join(sentences))

    def names(self, faulty):
        if faulty.expected == "same":
            return self.same
        if faulty.expected == "other key":
            return not self.same and bool(re.search("secret|key", self.text, re.I))
        return all(re.search(pattern, self.said, re.I) for pattern in faulty.named_by)

    def false_causes(self, faulty):
        """What is called proven and is not so."""
        allowed = [*faulty.named_by, *faulty.allowed] if faulty.expected == "fault" else faulty.allowed
        proven = [sentence for _, certainty, sentence in self.findings if certainty == "proven"]
        return [one for one in proven if not any(re.search(pattern, one, re.I) for pattern in allowed)]


class Asker:
    """Runs the commands as a person would who has the request, the secrets and what the other side sent."""

    def __init__(self, binary):
        self.binary = binary
        self.folder = tempfile.TemporaryDirectory()

    def file(self, data):
        descriptor, path = tempfile.mkstemp(dir=self.folder.name)
        os.write(descriptor, data)
        os.close(descriptor)
        return path

    def run(self, command, signer, right, options, stdin):
        request = signer.seen
        arguments = [self.binary, command, request.method, request.url, *options]
        if request.content_type is not None:
            arguments += ["--content-type", request.content_type]
        if request.body:
            arguments += ["--data-file", self.file(request.body)]
        environment = {"PATH": os.environ["PATH"]}
        for name, attribute in SECRETS.items():
            secret = getattr(right.credentials, attribute)
            if secret:
                environment[name] = secret
                arguments += [f"--{name.lower().replace('_', '-')}-env", name]
        return subprocess.run(
            arguments, input=stdin.encode(), capture_output=True, timeout=LIMIT, env=environment, cwd=self.folder.name
        )

    def answer(self, *given):
        done = self.run(*given)
        text = (done.stdout + done.stderr).decode(errors="replace")
        try:
            told = json.loads(done.stdout)
        except ValueError:
            return Answer(False, (), done.stderr.decode(errors="replace"), text)
        compared = told.get("comparison") or (told if "findings" in told else {})
        findings = tuple((f["cause"], f["certainty"], sentence_of(f)) for f in compared.get("findings", []))
        same = told.get("verified", told.get("same", False))
        lines = [told.get("sentence", ""), compared.get("summary", ""), *(f"{s} ({c}, {y})" for c, y, s in findings)]
        sentence = "" if told.get("error") == GENERAL else told.get("sentence", "")
        return Answer(same, findings, sentence, "\n".join(line for line in lines if line))

    def explain(self, signer, right, statement):
        options = [
            "--json",
            "--consumer-key",
            right.consumer_key,
            "--signature-method",
            right.algorithm,
            "--against",
            "-",
        ]
        if right.token is not None:
            options += ["--token", right.token]
        if right.has_body_hash:
            options += ["--body-hash", "on"]
        if right.version is None:
            options += ["--omit-version"]
        for name, value in right.extra:
            options += ["--parameter", f"{name}={value}"]
        if right.algorithm.startswith("RSA"):
            options += ["--private-key-file", self.file(right.pem())]
        return self.answer("explain", signer, right, options, statement)

    def verify(self, signer, right, statement):
        options = ["--authorization", "-"]
        if right.algorithm.startswith("RSA"):
            public = right.credentials.private_key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
            options += ["--public-key-file", self.file(public)]
        answer = self.answer("verify", signer, right, ["--json", *options], statement)
        if answer.same:
            # The signature is right; what is told of the rest of it has no one place in the structure.
            told = self.run("verify", signer, right, options, statement).stdout.decode(errors="replace")
            answer = replace(answer, sentence=told, text=told)
        return answer

    def wanted(self, right, wrong):
        """The base string of a right signer at the time that the other one says."""
        right.timestamp = wrong.timestamp
        return right.base_string()

    def ask(self, faulty, base_strings=False):
        """The answers for each sample, by the way of asking."""
        for sample, right, wrong in faulty.signers():
            field, text, wanted = wrong.header(), wrong.base_string(), self.wanted(right, wrong)
            yield "explain", self.explain(wrong, right, field)
            yield "verify", self.verify(wrong, right, field)
            if base_strings and faulty.expected == "fault" and (text != wanted or wrong.seen != sample.request):
                yield "base string", self.explain(wrong, right, text)


def binary():
    """The executable that is asked."""
    built = Path(__file__).resolve().parents[3] / ".build" / "debug" / "paraph"
    return os.path.abspath(os.environ.get("PARAPH") or built)
