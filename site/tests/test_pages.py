"""Pages keep their promises: menus, links, make targets, and a description of every node of the models."""
import re
import tomllib
import unittest
from pathlib import Path

import yaml

import yang_pages

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("lab/*.md")])
MAKE = re.compile(r"(?:`|^ *|^\$ |&& |sudo )make ((?:[a-z-]+ ?)+)", re.M)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)\s]*)?\)")


def in_menu(nav):
    for part in nav:
        yield from [part] if isinstance(part, str) else in_menu(part.values() if isinstance(part, dict) else part)


class PagesTest(unittest.TestCase):

    def test_every_page_is_in_the_menu(self):
        menu = set(in_menu(yaml.safe_load((ROOT / "site" / "mkdocs.yml").read_text())["nav"]))
        pages = {str(page.relative_to(ROOT / "docs")) for page in ROOT.glob("docs/**/*.md")}
        self.assertGreater(len(pages), 20)
        self.assertEqual(set(), pages - menu, "not in nav of site/mkdocs.yml")

    def test_every_make_target_exists(self):
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
        self.assertIn("docs", targets)
        named = [(text.name, word) for text in TEXTS for line in MAKE.findall(text.read_text()) for word in line.split()[:1]]
        self.assertGreater(len(named), 20)
        self.assertEqual([], [(page, word) for page, word in named if word not in targets])

    def test_every_link_leads_to_a_file(self):
        dead = [(str(text.relative_to(ROOT)), link) for text in TEXTS for link in LINK.findall(text.read_text())
                if not (text.parent / link).exists()]
        self.assertEqual([], dead)

    def test_every_program_named_exists(self):
        named = [(text.name, program) for text in TEXTS
                 for program in re.findall(r"(?:^ *|`)((?:scripts|lab|site|ovs|\.ci)/[a-z-]+)(?=[ `])", text.read_text(), re.M)]
        self.assertGreater(len(named), 10)
        self.assertEqual([], [(page, program) for page, program in named if not (ROOT / program).exists()])


class SiteTest(unittest.TestCase):

    def test_the_built_pages_fetch_nothing_from_elsewhere(self):
        pages = list((ROOT / "target" / "site").rglob("*.html"))
        self.assertGreater(len(pages), 20)
        tags = r"""<(?:script|link|img|iframe|source|video|object)\b[^>]*(?:src|href|data)=["']?(?:https?:)?//[^>]*>"""
        fetched = [(page.name, tag) for page in pages for tag in re.findall(tags, page.read_text())
                   if 'rel="canonical"' not in tag]
        self.assertEqual([], fetched)
        # the theme would fetch what draws diagrams, and fonts, only for these
        self.assertEqual([], [page.name for page in pages if re.search(r'class="mermaid"|fonts\.g', page.read_text())])


class ModelsTest(unittest.TestCase):

    def setUp(self):
        self.modules = [module for _, module in yang_pages.load(yang_pages.files(ROOT))]

    def test_every_node_says_what_it_is(self):
        self.assertGreaterEqual(len(self.modules), 4)
        for module in self.modules:
            self.assertGreater(len(list(yang_pages.nodes(module))), 5)
            self.assertEqual([], yang_pages.undescribed(module), module.arg)

    def test_every_rpc_has_an_example(self):
        rpcs = {f"{module.arg}:{rpc.arg}" for module in self.modules for rpc in yang_pages.rpcs(module)}
        examples = {example["rpc"] for example in tomllib.loads((ROOT / "site" / "rpcs.toml").read_text())["example"]}
        self.assertGreater(len(rpcs), 20)
        self.assertEqual(rpcs, examples)

    def test_a_node_that_does_not_is_found(self):
        _ctx, module = yang_pages.load_text("""module m { namespace "urn:m"; prefix m; revision 2026-01-01;
            container c { description "A container."; leaf mute { type string; } leaf told { type string; description "A leaf."; } } }""")
        self.assertEqual(["c/mute"], yang_pages.undescribed(module))

    def test_every_page_of_a_model_shows_every_node(self):
        pages = yang_pages.pages(yang_pages.files(ROOT))
        for module in self.modules:
            for node in yang_pages.nodes(module):
                if node.keyword in ("leaf", "leaf-list"):
                    self.assertRegex(pages[module.arg], rf"\| `{re.escape(node.arg)}`")

    def test_what_a_page_tells_of_a_leaf(self):
        pages = yang_pages.pages(yang_pages.files(ROOT))
        self.assertRegex(pages["daqfabric"], r"\| `link-capacity` \| decimal64 0\.001\.\.1000000 \| Gbps \| `10` \| Capacity of every link")
        self.assertRegex(pages["daqfabric"], r"\| `bfd-interval` \| uint16 1\.\.60000 \| milliseconds \| `50` \| ")
        self.assertRegex(pages["daqfabric"], r"\| `admin-state` \| enumeration \|  \| `in-service` \| .*`drained`: Carries none")
        self.assertRegex(pages["daqfabric"], r"\| `switch` \| name of switch/name \| ")
        self.assertIn("POST /rests/operations/daqfabric-operations:verify", pages["daqfabric-operations"])


if __name__ == "__main__":
    unittest.main()
