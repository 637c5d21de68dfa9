"""The list of parts: what is in a distribution is found, and what nobody knows is refused."""
import hashlib
import json
import tempfile
import unittest
import zipfile
from pathlib import Path

from sbom.document import document, faults
from sbom.licences import Licences, spdx
from sbom.parts import Name, UnknownPartError, downloads, known_inputs, name_of, parts_of

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">{}</project>"""
APACHE = "<licenses><license><name>The Apache Software License, Version 2.0</name></license></licenses>"


class Sbom(unittest.TestCase):

    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.assembly = self.root / "assembly"
        self.repository = self.root / "repository"

    def jar(self, path, **content):
        """In the distribution; its line for the list of known inputs, whose paths are those of a Maven repository."""
        file = self.assembly / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(file, "w") as into:
            for name, text in {"MANIFEST": "", **content}.items():
                into.writestr({"MANIFEST": "META-INF/MANIFEST.MF", "PACKED": "META-INF/maven/g/a/pom.properties",
                               "D3": "web/lib/d3/d3.min.js"}[name], text)
        return f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {path.removeprefix('system/')}"

    def pom(self, group, artifact, version, content):
        file = self.repository / group.replace(".", "/") / artifact / version / f"{artifact}-{version}.pom"
        file.parent.mkdir(parents=True)
        file.write_text(POM.format(content), encoding="utf-8")

    def parts(self, *known):
        return parts_of(self.assembly, known_inputs("\n".join(known)))

    def test_names_follow_paths_of_maven(self):
        self.assertEqual(Name("io.netty", "netty", "4.2.6.Final", "linux-x86_64"),
                         name_of("io/netty/netty/4.2.6.Final/netty-4.2.6.Final-linux-x86_64.jar"))
        self.assertEqual(Name("g", "a", "1", "features", "xml"), name_of("g/a/1/a-1-features.xml"))

    def test_file_that_is_no_known_input_is_refused(self):
        known = self.jar("system/g/a/1/a-1.jar")
        self.jar("lib/boot/other-1.jar", MANIFEST="Changed: yes")
        with self.assertRaisesRegex(UnknownPartError, "lib/boot/other-1.jar.*scripts/pin maven"):
            self.parts(known)

    def test_changed_file_is_refused(self):
        known = self.jar("system/g/a/1/a-1.jar")
        self.jar("system/g/a/1/a-1.jar", MANIFEST="Changed: yes")
        with self.assertRaises(UnknownPartError):
            self.parts(known)

    def test_a_controller_has_no_source_of_bundles_but_its_distribution(self):
        mvn = "org.ops4j.pax.url.mvn."
        ours = (f"# {mvn}repositories=https://example.org\n{mvn}useFallbackRepositories=false\n{mvn}repositories= \\\n"
                "    file:${karaf.home}/${karaf.default.repository}@id=system, \\\n    file:${karaf.data}/kar@id=kar@multi\n")
        self.assertEqual([], downloads(ours))
        self.assertEqual(["https://example.org/maven2@id=central"],
                         downloads(ours.replace("@multi", ", https://example.org/maven2@id=central")))
        self.assertEqual(["useFallbackRepositories"], downloads(ours.replace("=false", "=true")))
        self.assertEqual(["no repositories: Karaf would take its own", "useFallbackRepositories"], downloads(""))

    def test_our_own_bundles_are_known(self):
        self.jar("system/org/daqfabric/daqfabric-impl/1/daqfabric-impl-1.jar")
        part, = self.parts()
        self.assertEqual("daqfabric-impl", part.name.artifact)

    def test_libraries_in_a_bundle_are_found(self):
        known = self.jar("system/g/a/1/a-1.jar", PACKED="# made\ngroupId=io.prometheus\nartifactId=core\nversion=1.4.1\n",
                         D3="// https://d3js.org v7.9.0 Copyright\n")
        part, = self.parts(known)
        self.assertEqual((Name("io.prometheus", "core", "1.4.1"),), part.packed)
        self.assertEqual((("d3", "7.9.0"),), part.scripts)

    def test_licence_comes_from_the_parent_where_the_pom_has_none(self):
        self.pom("g", "parent", "1", APACHE)
        self.pom("g", "a", "1", "<parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version></parent>")
        said, = Licences(self.repository).of("g", "a", "1")
        self.assertEqual("Apache-2.0", spdx(said))
        self.assertEqual((), Licences(self.repository).of("g", "other", "1"))

    def test_document_is_valid_and_the_same_each_time(self):
        self.pom("g", "a", "1", APACHE)
        known = [self.jar("system/g/a/1/a-1.jar", D3="// https://d3js.org v7.9.0 Copyright\n"),
                 self.jar("system/g/b/1/b-1.jar", MANIFEST="Bundle-License: Apache-2.0;description=\"This, that\"\r\n"),
                 self.jar("system/g/c/1/c-1.jar", MANIFEST="Other: c")]
        text, silent = document(self.parts(*known), Licences(self.repository).of, "1", self.assembly)
        self.assertIsNone(faults(text))
        self.assertEqual(["system/g/c/1/c-1.jar"], silent)
        self.assertEqual(text, document(self.parts(*known), Licences(self.repository).of, "1", self.assembly)[0])
        a, b, c = json.loads(text)["components"]
        self.assertEqual(("pkg:maven/g/a@1", "pkg:npm/d3@7.9.0"), (a["purl"], a["components"][0]["purl"]))
        self.assertEqual([[{"expression": "Apache-2.0"}]] * 2, [a["licenses"], b["licenses"]])
        self.assertNotIn("licenses", c)

    def test_fault_of_a_document_is_found(self):
        self.assertIsNotNone(faults('{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"type": "jar"}]}'))


if __name__ == "__main__":
    unittest.main()
