"""Whether all that is downloaded is pinned by its hash: python3 lint/inputs.py. Prints each finding, and fails if there is one.

What is pinned is said in docs/security.md, how it is pinned again in CONTRIBUTING.md.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

PINNED = re.compile(r"[A-Za-z0-9._-]+==\S+( ; .+)?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
GO_HASH = re.compile(r"h1:[A-Za-z0-9+/]{43}=")
REQUIRED = re.compile(r"^\s+(\S+) (v\S+)(?: // indirect)?$", re.MULTILINE)
CHECKSUM = re.compile(r"[0-9a-f]{64} {2}[^ ]+/[^ ]+")
MAVEN = (  # each must stand in .mvn/maven.config
    "--strict-checksums",
    "-Daether.trustedChecksumsSource.summaryFile=true",
    "-Daether.artifactResolver.postProcessor.trustedChecksums=true",
    "-Daether.artifactResolver.postProcessor.trustedChecksums.failIfMissing=true",
)
# what brings something from elsewhere, and the only files that may: they compare what comes with a hash
FETCHING = (
    (re.compile(r"\bpip3?\"? (install|download|wheel)\b"), {"scripts/lib.sh"}),
    (re.compile(r"\b(npm (ci|i|install|exec)|npx)\b"), {"scripts/lib.sh"}),
    (re.compile(r"\bgo (get|install|run|mod download)\b"), {"scripts/lib.sh"}),
    (re.compile(r"\bwget\b|\burlretrieve\b|\bcurl\b.*https?://(?!\$|127\.)"), set()),
    (re.compile(r"dependency(-plugin:[0-9.]+)?:(copy|get)\b"), {"scripts/setup"}),
    (re.compile(r"\bgit clone\b.*(://|@)"), set()),
    (re.compile(r"--lax-checksums|\bmvn\b.* -c\b|--no-verify|--trusted-host|--no-check-certificate"), set()),
)


def requirements(text, wanted):
    """What is wrong with a list for pip, and with what it was made of."""
    lines = [line for line in text.replace("\\\n", "").splitlines() if line and not line.startswith("#")]
    for line in lines:
        requirement, *hashes = re.split(r" +(?=--)", line.strip())
        if not PINNED.fullmatch(requirement):
            yield f"'{requirement}' names no version, or has an option"
        elif not hashes or not all(HASH.fullmatch(each) for each in hashes):
            yield f"'{requirement}' has no hash"
    present = {re.split(r"[ ;]", line)[0].lower().replace("_", "-") for line in lines}
    for line in wanted.splitlines():
        if re.fullmatch(r"[A-Za-z0-9._-]+==\S+", line) and line.lower().replace("_", "-") not in present:
            yield f"'{line}' is in the .in only"


def package_lock(lock, package):
    """What is wrong with a lock of npm's."""
    packages = json.loads(lock)["packages"]
    for name, each in packages.items():
        if name and not each.get("integrity", "").startswith("sha512-"):
            yield f"'{name}' has no hash"
    if packages[""].get("devDependencies") != json.loads(package).get("devDependencies"):
        yield "package.json wants other packages: run npm install --package-lock-only --ignore-scripts"


def go_sums(sums, module):
    """What is wrong with the hashes of Go's modules."""
    lines = [line.split(" ") for line in sums.splitlines()]
    for each in lines:
        if len(each) != 3 or not GO_HASH.fullmatch(each[2]):
            yield f"'{' '.join(each)}' is no module with a hash"
    known = {(each[0], each[1].partition("/")[0]) for each in lines}
    for name, version in REQUIRED.findall(module):
        if (name, version) not in known:
            yield f"'{name} {version}' has no hash: run go mod tidy"


def checksums(text):
    """What is wrong with the list of what Maven may take."""
    paths = [line.partition("  ")[2] for line in text.splitlines()]
    for line in text.splitlines():
        if not CHECKSUM.fullmatch(line):
            yield f"'{line}' is no SHA-256 with a path"
    if paths != sorted(set(paths)):
        yield "its paths are not in order, or stand twice"


def settings(text):
    """What Maven is not told."""
    for line in MAVEN:
        if line not in text.splitlines():
            yield f"'{line}' is missing"


def fetching(name, text):
    """Downloads past the functions that compare hashes."""
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("#", 1)[0] if line.lstrip().startswith("#") else line
        for pattern, places in FETCHING:
            if pattern.search(code) and name not in places:
                yield f"line {number} downloads: use bring_tools, bring_node_tools, bring_go_tools or pip_install of scripts/lib.sh"


def findings(root):
    """All of a checkout, as lines."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, check=True, capture_output=True,
                           text=True).stdout.split("\n")
    for name in sorted(each for each in names if Path(root, each).is_file()):
        file = Path(root, name)
        found = []
        if name.endswith("requirements.txt"):
            source = file.with_suffix(".in")
            found = requirements(file.read_text(encoding="utf-8"), source.read_text(encoding="utf-8")) if source.exists() \
                else ["there is no .in that it is made of"]
        elif name.endswith("requirements.in") and not file.with_suffix(".txt").exists():
            found = ["there is no .txt: run scripts/pin pip"]
        elif file.name == "package.json" and "ependencies" in file.read_text(encoding="utf-8"):
            lock = file.with_name("package-lock.json")
            found = package_lock(lock.read_text(encoding="utf-8"), file.read_text(encoding="utf-8")) if lock.exists() \
                else ["there is no package-lock.json"]
        elif file.name == "go.mod":
            sums = file.with_name("go.sum")
            found = go_sums(sums.read_text(encoding="utf-8"), file.read_text(encoding="utf-8")) if sums.exists() \
                else ["there is no go.sum"]
        elif name == ".mvn/maven.config":
            found = settings(file.read_text(encoding="utf-8"))
        elif name == ".mvn/checksums/checksums.sha256":
            found = checksums(file.read_text(encoding="utf-8"))
        elif name == "Makefile" or name.startswith((".ci/", "scripts/")):
            found = fetching(name, file.read_text(encoding="utf-8"))
        for each in found:
            yield f"{name}: {each}"


if __name__ == "__main__":
    lines = list(findings(Path(__file__).resolve().parents[1]))
    print(*lines, sep="\n", end="\n" if lines else "")
    sys.exit(bool(lines))
