"""Run pip-audit: refuse packages with known weaknesses; tell where their list cannot be reached."""

from __future__ import annotations

import json
import subprocess
import sys

found = subprocess.run(
    [sys.executable, "-m", "pip_audit", "--local", "--progress-spinner", "off", "-f", "json"],
    capture_output=True,
    text=True,
    check=False,
)
try:
    packages = json.loads(found.stdout)["dependencies"]
except (ValueError, KeyError):
    print("pip-audit could not look anything up:", found.stderr.strip().splitlines()[-1:])
    sys.exit(0)
weak = [f"{p['name']} {p['version']}: {v['id']}" for p in packages for v in p.get("vulns", [])]
print(
    f"{len(packages)} packages, {sum('vulns' in p for p in packages)} looked up, {len(weak)} weak"
)
print(*weak, sep="\n")
sys.exit(bool(weak))
