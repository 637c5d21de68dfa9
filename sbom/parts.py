"""What a distribution is made of: the artifacts that it holds, and the libraries that are packed into them."""
import hashlib
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

OURS = "org.daqfabric"
# what Karaf writes itself beside the artifacts, and the one list of features that the build shortens
WRITTEN = re.compile(r"(^|/)(maven-metadata-local\.xml|_remote\.repositories|README|standard-[^/]*-features\.xml)$")
# a script says on its first line what it is: `// https://d3js.org v7.9.0 Copyright ...`
SCRIPT = re.compile(rb"//[^\n]* v(\d+\.\d+\.\d+)")


class UnknownPartError(Exception):
    """A file of the distribution that is none of the known inputs."""


@dataclass(frozen=True)
class Name:
    """Of an artifact of Maven."""
    group: str
    artifact: str
    version: str
    classifier: str = ""
    kind: str = "jar"


@dataclass(frozen=True)
class Part:
    """One file of the distribution."""
    name: Name
    sha256: str
    path: Path
    packed: tuple = ()  # names of what it has in it
    scripts: tuple = ()  # (name, version) of those
    licences: tuple = ()  # of its own manifest


def known_inputs(text):
    """Hash -> path in a Maven repository, of a list as sha256sum writes it."""
    return {line.split("  ", 1)[0]: line.split("  ", 1)[1] for line in text.splitlines()}


def name_of(path):
    """The artifact at this path of a Maven repository."""
    *group, artifact, version, file = path.split("/")
    rest = file.removeprefix(f"{artifact}-{version}")
    classifier, kind = re.fullmatch(r"-?(.*)\.([^.]+)", rest).groups()
    return Name(".".join(group), artifact, version, classifier, kind)


def inside(jar, own):
    """What says inside of a jar that it is another artifact, or a script; and the licences in its manifest."""
    with zipfile.ZipFile(jar) as file:
        properties = [dict(line.split("=", 1) for line in file.read(each).decode().splitlines()
                           if "=" in line and not line.startswith("#"))
                      for each in file.namelist() if re.fullmatch(r"META-INF/maven/.*/pom\.properties", each)]
        scripts = [(Path(each).name.removesuffix(".min.js"), SCRIPT.match(file.read(each)))
                   for each in file.namelist() if each.endswith(".min.js")]
        manifest = file.read("META-INF/MANIFEST.MF").decode() if "META-INF/MANIFEST.MF" in file.namelist() else ""
    names = {Name(each["groupId"].strip(), each["artifactId"].strip(), each["version"].strip()) for each in properties}
    said = re.findall(r"^Bundle-License: *(.*)$", re.sub(r"\r?\n ", "", manifest).replace("\r", ""), re.MULTILINE)
    return {
        "packed": tuple(sorted((each for each in names if (each.group, each.artifact) != (own.group, own.artifact)), key=str)),
        "scripts": tuple((script, match[1].decode()) for script, match in scripts if match),
        # names or addresses, each of which may have attributes
        "licences": tuple(each.split(";")[0].strip() for line in said for each in re.sub('"[^"]*"', "", line).split(",")),
    }


def downloads(settings):
    """Sources of bundles in etc/org.ops4j.pax.url.mvn.cfg that are not folders of the distribution."""
    said = dict(re.findall(r"^org\.ops4j\.pax\.url\.mvn\.(\w+) *= *(.*)$", settings.replace("\\\n", ""), re.MULTILINE))
    sources = [each.strip() for each in said.get("repositories", "no repositories: Karaf would take its own").split(",")]
    # without this one Maven Central is a source, too
    return [each for each in sources if not re.match(r"file:\$\{karaf\.(home|data)\}/", each)] + [
        "useFallbackRepositories" for value in [said.get("useFallbackRepositories", "true")] if value.strip() != "false"]


def parts_of(assembly, known):
    """Everything in a distribution that was downloaded, or built here; whatever else there is raises an error."""
    found, unknown = [], []
    for file in sorted([*assembly.glob("system/**/*"), *assembly.glob("lib/**/*")]):
        path = file.relative_to(assembly).as_posix()
        if not file.is_file() or WRITTEN.search(path):
            continue
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        if path.startswith(f"system/{OURS.replace('.', '/')}/"):
            name = name_of(path.removeprefix("system/"))
        elif digest in known:
            name = name_of(known[digest])
        else:
            unknown.append(path)
            continue
        found.append(Part(name, digest, file, **(inside(file, name) if name.kind == "jar" else {})))
    if unknown:
        raise UnknownPartError(
            f"in {assembly} are files that are not in .mvn/checksums/checksums.sha256: {', '.join(unknown[:10])}. If they come from"
            " a change of versions, `scripts/pin maven` writes the list again (CONTRIBUTING.md); if not, do not run this build")
    return found
