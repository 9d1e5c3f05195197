"""Applications and keys of which every secret is a canary."""

import secrets

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import PrivateFormat

from ..applications import Application, Token

# What encodings change. Each goes with a secret that may have it.
TAIL = "/+&%25\"\\'<ü~ *=="
VISIBLE_TAIL = "/+=_-.~"


class PlantedApplication(Application):
    """An application whose secrets, and those of all its tokens, are canaries."""

    def __init__(self, canaries, name, rsa_key=False):
        super().__init__(rsa_key)
        self.canaries, self.name = canaries, name
        self.secret = canaries.plant(f"consumer secret of {name}", TAIL)
        if rsa_key:
            plant_private_key(canaries, f"private key of {name}", self.private_key[PrivateFormat.PKCS8])

    def issue(self, user, what="token secret"):
        token = Token(
            f"{secrets.token_hex(4)}/{user}", self.canaries.plant(f"{what} of {self.name}, {user}", TAIL), user
        )
        self.tokens[token.value] = token
        return token


def plant_private_key(canaries, what, pem):
    """The text of the key and the numbers in it: what is public of it is none."""
    key = serialization.load_pem_private_key(pem, None)
    numbers = key.private_numbers()
    if isinstance(key, ec.EllipticCurvePrivateKey):
        # PKCS#8 has the public half behind it.
        canaries.know(what, numbers.private_value.to_bytes(key.key_size // 8, "big"))
        return
    for name in ("d", "p", "q"):
        value = getattr(numbers, name)
        canaries.know(f"{what}, {name}", value.to_bytes((value.bit_length() + 7) // 8, "big"))
    lines = [line.strip() for line in pem.decode().splitlines() if line and not line.startswith("-----")]
    # The beginning says what kind of key it is, and then comes the modulus.
    canaries.know(f"{what}, its text", "".join(lines)[len("".join(lines)) // 2 :])
