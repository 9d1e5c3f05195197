"""The published vectors, shared with the signer's unit tests."""

import json
import os
from pathlib import Path

FILE = Path(
    os.environ.get("OAUTH_VECTORS")
    or Path(__file__).resolve().parents[2] / "SigningVectors" / "Vectors" / "oauth1-vectors.jsonl"
)
VECTORS = [json.loads(line) for line in FILE.read_text().splitlines()]
