#!/usr/bin/env python3
"""Prints a bill of materials of the program: CycloneDX 1.6, in JSON.

Usage: sbom.py BUILD-FOLDER VERSION COMMIT; SOURCE_DATE_EPOCH is its date.
"""

import json
import os
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from components import linked_components

# SPDX knows no identifier for these.
NAMED = {"CC0-1.0 AND LicenseRef-Gladman": "CC0-1.0, and for one file Brian Gladman's licence of 1998"}


def licensed(expression):
    if expression in NAMED:
        return [{"license": {"name": NAMED[expression]}}]
    return [{"expression": expression}] if " " in expression else [{"license": {"id": expression}}]


def reference(component):
    return component.package + (f"#{component.within}" if component.within else "")


def described(component):
    entry = {
        "type": "library",
        "bom-ref": reference(component),
        "name": component.name,
        "version": component.version,
        "licenses": licensed(component.license),
        "purl": component.package,
        "externalReferences": [{"type": "vcs", "url": component.source}],
    }
    if component.revision:
        entry["externalReferences"][0]["comment"] = f"revision {component.revision}"
    return entry


def main(folder, version, commit):
    components = linked_components(Path(folder))
    date = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    own = f"pkg:generic/paraph@{version}"
    references = {component.name: reference(component) for component in components if not component.within}
    dependencies = [{"ref": own, "dependsOn": sorted(references.values())}]
    for component in components:
        named = [references[name] for name in component.requires if name != component.name]
        named += [reference(other) for other in components if other.within == component.name and not component.within]
        dependencies.append({"ref": reference(component), "dependsOn": sorted(named)})
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "paraph",
                "version": version,
                "licenses": licensed("Apache-2.0"),
                "purl": own,
                "properties": [{"name": "paraph:commit", "value": commit}],
            },
        },
        "components": [described(component) for component in components],
        "dependencies": dependencies,
    }
    # The same for the same content.
    bill["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill, sort_keys=True)))
    print(json.dumps(bill, indent=2))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
