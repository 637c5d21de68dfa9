"""Which parts a distribution has: python3 -m sbom check ASSEMBLY, or python3 -m sbom write ASSEMBLY VERSION REPOSITORY."""
import sys
from pathlib import Path

from .parts import UnknownPartError, downloads, known_inputs, parts_of

ROOT = Path(__file__).resolve().parents[1]


def check(assembly):
    """The parts; fails if one is no known input, or if the distribution would bring others when it runs."""
    settings = Path(assembly, "etc/org.ops4j.pax.url.mvn.cfg")
    if found := downloads(settings.read_text(encoding="utf-8")):
        sys.exit(f"sbom: a controller would download by {settings}: leave only folders of the distribution there, not {', '.join(found)}")
    known = known_inputs((ROOT / ".mvn/checksums/checksums.sha256").read_text(encoding="utf-8"))
    try:
        return parts_of(Path(assembly), known)
    except UnknownPartError as unknown:
        sys.exit(f"sbom: {unknown}")


def write(assembly, version, repository):
    """Into ASSEMBLY/sbom; fails if the licence of a part is not known."""
    # need libraries, which a check does without
    from .document import document, faults
    from .licences import Licences

    parts = check(assembly)
    text, silent = document(parts, Licences(Path(repository)).of, version, Path(assembly))
    if fault := faults(text):
        sys.exit(f"sbom: this is no CycloneDX: {fault}")
    if silent:
        sys.exit(f"sbom: no licence is known of {', '.join(silent)}: read what it has inside, and add it to READ in sbom/licences.py")
    out = Path(assembly, "sbom")
    out.mkdir(exist_ok=True)
    (out / "daqfabric.cdx.json").write_text(text, encoding="utf-8")
    print(f"sbom: {len(parts)} files, {sum(len(each.packed) + len(each.scripts) for each in parts)} libraries inside of them")


if __name__ == "__main__":
    {"check": check, "write": write}[sys.argv[1]](*sys.argv[2:])
