"""Parts as a document of CycloneDX."""
import json

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from .licences import READ, spdx
from .parts import OURS


def _licences(said):
    """An expression if all that was said is known to SPDX: poms mean "one of these" by several."""
    known = {spdx(each) for each in said}
    if said and None not in known:
        return [LicenseExpression(" OR ".join(sorted(known)))]
    return [DisjunctiveLicense(name=each) for each in said]


def _said(name, manifest, licences_of):
    """Of a part: ours, what somebody read, what its pom says, or its manifest."""
    if name.group == OURS:
        return ("Apache-2.0",)
    if expression := READ.get((name.group, name.artifact)):
        return (expression,)
    return licences_of(name.group, name.artifact, name.version) or manifest


def _component(name, said, reference, **more):
    qualifiers = {"classifier": name.classifier, "type": "" if name.kind == "jar" else name.kind}
    return Component(
        name=name.artifact, group=name.group, version=name.version, bom_ref=reference, licenses=_licences(said),
        purl=PackageURL("maven", name.group, name.artifact, name.version, {key: value for key, value in qualifiers.items() if value}),
        **more)


def document(parts, licences_of, version, assembly):
    """The text, the same for the same parts; and the parts of which no licence is known."""
    whole = Component(
        name="daqfabric-karaf", group=OURS, version=version, type=ComponentType.APPLICATION, bom_ref="distribution",
        licenses=[LicenseExpression("Apache-2.0")], purl=PackageURL("maven", OURS, "daqfabric-karaf", version, {"type": "tar.gz"}))
    bom = Bom(metadata=BomMetaData(component=whole))
    silent = []
    for part in parts:
        path = part.path.relative_to(assembly).as_posix()
        said = _said(part.name, part.licences, licences_of)
        if not said:
            silent.append(path)
        inside = [_component(each, _said(each, (), licences_of), f"{path}!{each.group}:{each.artifact}") for each in part.packed]
        inside += [Component(name=script, version=number, bom_ref=f"{path}!{script}", purl=PackageURL("npm", None, script, number))
                   for script, number in part.scripts]
        bom.components.add(_component(
            part.name, said, path, components=inside, hashes=[HashType(alg=HashAlgorithm.SHA_256, content=part.sha256)],
            properties=[Property(name="daqfabric:path", value=path)]))
    bom.register_dependency(whole, bom.components)
    output = json.loads(JsonV1Dot6(bom).output_as_string())
    # which would differ each time
    del output["serialNumber"], output["metadata"]["timestamp"]
    return json.dumps(output, indent=1, sort_keys=True) + "\n", silent


def faults(text):
    """What the schema of CycloneDX finds wrong in a document, or None."""
    return JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
