"""The licences of artifacts, from the poms that they were published with."""
import re
import xml.etree.ElementTree as ET
from functools import cache

# what poms say -> SPDX; the first that fits
WORDS = (
    (r"apache.*2|^asl 2|asl, version 2|^alv2|^al 2|^the apache software licen[sc]e$", "Apache-2.0"),
    (r"eclipse public license.*1\.0|epl[- ]?v?1\.?0", "EPL-1.0"),
    (r"eclipse public license.*2\.0|epl[- ]?v?2\.?0", "EPL-2.0"),
    (r"eclipse distribution license|edl 1\.0|bsd[- ]3|bsd new|new bsd|modified bsd|3-clause", "BSD-3-Clause"),
    (r"2-clause|simplified bsd", "BSD-2-Clause"),
    (r"cddl.*gpl", "CDDL-1.1 OR GPL-2.0-only WITH Classpath-exception-2.0"),
    (r"gpl.*(w/ ?cpe|classpath)|classpath/license|/secondary", "GPL-2.0-only WITH Classpath-exception-2.0"),
    (r"^mit-0$", "MIT-0"),
    (r"^mit( license)?$|^the mit license|bouncy castle licence|opensource.org/licenses/mit", "MIT"),
    (r"mpl[ -]2|mozilla public license.*2", "MPL-2.0"),
    (r"lgpl[ -]2\.1|lesser general public license.*2\.1", "LGPL-2.1-or-later"),
    (r"^cc0|public domain, per creative commons cc0", "CC0-1.0"),
)
# what neither the pom nor the manifest says
READ = {
    ("org.eclipse.jdt", "ecj"): "EPL-2.0",  # its about.html
    ("com.h2database", "h2"): "MPL-2.0 OR EPL-1.0",  # its page: h2database.com/html/license.html
    ("org.ops4j.pax.transx", "pax-transx-features"): "Apache-2.0",  # the source of OPS4J's lists of features
    ("org.ops4j.pax.web", "pax-web-features"): "Apache-2.0",  # its first lines
}


def spdx(words):
    """The SPDX expression for what a pom says, or None."""
    for pattern, expression in WORDS:
        if re.search(pattern, words, re.IGNORECASE):
            return expression
    return None


class Licences:
    """Of a local repository of Maven."""

    def __init__(self, repository):
        self._repository = repository
        self.of = cache(self._of)

    def _of(self, group, artifact, version):
        """What the pom says, or its parent's; nothing where there is no pom, or none that says it."""
        pom = self._repository / group.replace(".", "/") / artifact / version / f"{artifact}-{version}.pom"
        if not pom.is_file():
            return ()
        root = ET.parse(pom).getroot()
        spaces = {"m": root.tag[1:].split("}")[0]} if root.tag.startswith("{") else {}
        prefix = "m:" if spaces else ""
        said = tuple(each.text.strip() for each in root.findall(f"{prefix}licenses/{prefix}license/{prefix}name", spaces)
                     if each.text)
        parent = root.find(f"{prefix}parent", spaces)
        if said or parent is None:
            return said
        return self.of(*(parent.findtext(prefix + each, "", spaces).strip() for each in ("groupId", "artifactId", "version")))
