"""Pages of the site that are not in docs/: one for each YANG module, and files from elsewhere in the project."""
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).resolve().parent))

import yang_pages

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = {"README.md": "index.md", "lab/README.md": "lab.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
             "integrations/constellation/README.md": "constellation.md"}  # file of the project: page
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
MODELS = yang_pages.files(ROOT)
PAGES = ELSEWHERE | {str(file.relative_to(ROOT)): f"yang/{yang_pages.module_name(file)}.md" for file in MODELS}
LOG = get_plugin_logger("daqfabric")


def on_config(config):
    reference = next(part["Reference"] for part in config.nav if "Reference" in part)
    reference.append({"YANG": [{yang_pages.module_name(file): PAGES[str(file.relative_to(ROOT))]} for file in MODELS]})
    return config


def on_files(files, config):
    files.append(File.generated(config, "site.css", content=(ROOT / "site" / "site.css").read_text()))
    for source, page in ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    for page, text in yang_pages.pages(MODELS).items():
        files.append(File.generated(config, f"yang/{page}.md", content=text))
    return files


def on_page_markdown(markdown, page, **_):
    """Links between files of the project become links between pages."""
    here = page.file.src_uri
    source = next((file for file, name in PAGES.items() if name == here), f"docs/{here}")

    def turn(match):
        text, link, anchor = match[1], match[2], match[3] or ""
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
        to = PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        if to:
            return f"[{text}]({posixpath.relpath(to, posixpath.dirname(here) or '.')}{anchor})"
        if not (ROOT / target).exists():
            LOG.warning("%s: a link leads to %s, which does not exist", source, target)
        return text  # a file of the project that is no page

    return markdown if source.endswith(".yang") else LINK.sub(turn, markdown)


def on_post_page(output, **_):
    """What the theme's HTML lacks for screen readers: a dialog has a name, and what heads nothing is no heading."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"').replace("<th></th>", "<td></td>")


def on_post_template(output_content, **_):
    return on_post_page(output_content)  # the page of errors
