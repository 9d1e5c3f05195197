"""What `paraph ca show` and `paraph ca export` tell of the local CA, beside what OpenSSL and Java read."""

import json
import os
import pty
import shutil
import subprocess

import pytest

from harness.handshakes import EVERY_LIBRARY, Trust, run, tunnel
from harness.waiting import LIMIT


def test_what_is_shown_is_what_openssl_shows(paraph):
    code, said = paraph.command("ca", "show", "--json")
    assert code == 0
    shown = json.loads(said)
    _, text = run(["openssl", "x509", "-in", paraph.ca, "-noout", "-sha256", "-fingerprint"])
    assert text.strip().rpartition("=")[2] == shown["sha256"]
    assert paraph.told(shown["sha256"]), "at the start"
    assert all(host["covered"] for host in shown["hosts"]) and shown["findings"] == [] and shown["made_by_paraph"]
    assert shown["maximum_path_length"] == 0
    assert shown["sha256"] in paraph.command("ca", "show")[1]


def test_the_exports_are_all_of_the_same_certificate(paraph, tmp_path):
    fingerprint = json.loads(paraph.command("ca", "show", "--json")[1])["sha256"]
    for form in ("pem", "der"):
        file = tmp_path / f"ca.{form}"
        code, said = paraph.command("ca", "export", "--format", form, "--out", str(file))
        assert (code, said) == (0, "")
        _, text = run(["openssl", "x509", "-inform", form, "-in", file, "-noout", "-sha256", "-fingerprint"])
        assert text.strip().rpartition("=")[2] == fingerprint
    assert paraph.command("ca", "export")[1] == paraph.ca.read_text()
    store = tmp_path / "ca.p12"
    assert paraph.command("ca", "export", "--format", "pkcs12", "--out", str(store)) == (0, "")
    _, text = run(["openssl", "pkcs12", "-in", store, "-nokeys", "-passin", "pass:changeit"])
    assert text.count("-----BEGIN CERTIFICATE-----") == 1 and "PRIVATE" not in text


@pytest.mark.skipif(not shutil.which("keytool"), reason="there is no keytool on this machine")
def test_keytool_reads_the_exported_truststore(paraph, tmp_path):
    store = tmp_path / "ca.p12"
    assert paraph.command("ca", "export", "--format", "pkcs12", "--out", str(store)) == (0, "")
    code, text = run(["keytool", "-list", "-keystore", store, "-storepass", "changeit"])
    assert code == 0 and text.count("trustedCertEntry") == 1


@pytest.mark.parametrize("form, is_written", [("pem", True), ("der", False), ("pkcs12", False)])
def test_only_text_is_written_to_a_terminal(paraph, form, is_written):
    mine, terminal = pty.openpty()
    try:
        done = subprocess.run(
            [paraph.binary, "ca", "export", "--format", form, "--config", str(paraph.file)],
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=subprocess.PIPE,
            timeout=LIMIT,
            env=paraph.environment(),
            cwd=paraph.folder,
        )
        assert done.returncode == (0 if is_written else 64), done
        assert (b"--out" in done.stderr) != is_written
    finally:
        os.close(terminal)
        os.close(mine)


def test_java_reads_the_exported_truststore(paraph, world, tmp_path):
    java = next(one for one in EVERY_LIBRARY if one.name == "java")
    if not java.version():
        pytest.skip("there is no java on this machine")
    trust = Trust(tmp_path)
    assert paraph.command("ca", "export", "--format", "pkcs12", "--out", str(trust.store)) == (0, "")
    with tunnel(paraph.proxy, f"{world.HOST}:443") as listener:
        try:
            accepted, said = java.shake(listener.port, world.HOST, trust)
        finally:
            java.end()
    assert accepted, said


def test_the_truststores_password_is_read_from_a_file(paraph, tmp_path):
    word = tmp_path / "password"
    word.write_text("tr0ub4dor\n")
    store = tmp_path / "ca.p12"
    arguments = ["ca", "export", "--format", "pkcs12", "--out", str(store), "--password-file", str(word)]
    assert paraph.command(*arguments) == (0, "")
    assert run(["openssl", "pkcs12", "-in", store, "-nokeys", "-passin", "pass:tr0ub4dor"])[0] == 0
    assert run(["openssl", "pkcs12", "-in", store, "-nokeys", "-passin", "pass:changeit"])[0] != 0
    word.write_text("short\n")
    assert paraph.command(*arguments)[0] == 65
    word.write_text("pässwörter\n")
    assert paraph.command(*arguments)[0] == 65
    assert paraph.command("ca", "export", "--password-file", str(word))[0] == 64
