#!/usr/bin/env python3
"""Makes the files beside it from the limbo.json of x509-limbo; README.md says what they hold."""
import base64
import datetime
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
LEFT_OUT = {
    "pathological::nc-dos-1",
    "pathological::nc-dos-3",
    "pathological::pathological-chain-distinct-subject-same-key",
    "pathological::pathological-chain-same-subject-distinct-key",
    "pathological::pathological-chain-same-subject-same-key",
}
# For the cases that name no time: they are valid for centuries.
SOME_TIME = 1_790_000_000


def numbers(blobs, pems):
    der = ["".join(line for line in pem.splitlines() if not line.startswith("-----")) for pem in pems]
    return " ".join(str(blobs.setdefault(base64.b64encode(base64.b64decode(text)).decode(), len(blobs))) for text in der)


def main():
    known = {}
    if (FOLDER / "cases.tsv").exists():
        for line in (FOLDER / "cases.tsv").read_text().splitlines():
            columns = line.split("\t")
            known[columns[0]] = (columns[2], columns[8])
    certificates, lists, lines = {}, {}, []
    for case in json.loads(pathlib.Path(sys.argv[1]).read_text())["testcases"]:
        if case["validation_kind"] != "SERVER" or case["id"] in LEFT_OUT or case["id"].startswith("bettertls"):
            continue
        time = case["validation_time"]
        seconds = datetime.datetime.fromisoformat(time).timestamp() if time else SOME_TIME
        decision, reason = known.get(case["id"], ("?", ""))
        columns = [
            case["id"],
            "accept" if case["expected_result"] == "SUCCESS" else "refuse",
            decision,
            (case["expected_peer_name"] or {}).get("value", ""),
            f"{seconds:.3f}".rstrip("0").rstrip("."),
            numbers(certificates, [case["peer_certificate"]] + case["untrusted_intermediates"]),
            numbers(certificates, case["trusted_certs"]),
            numbers(lists, case["crls"]),
            reason,
        ]
        lines.append("\t".join(columns))
    for name, texts in [("cases.tsv", lines), ("certificates.txt", certificates), ("revocation-lists.txt", lists)]:
        (FOLDER / name).write_text("\n".join(texts) + "\n")


main()
