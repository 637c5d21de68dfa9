"""The reference: a page in Markdown for each YANG module of the project, its tree and what each node is."""
import functools
import io
import optparse
import re
from pathlib import Path

import pyang
from pyang import context, plugin, repository
from pyang.plugins import tree

STANDARD = Path(pyang.__file__).resolve().parents[1] / "share" / "yang" / "modules"
INNER = ("container", "list", "choice", "case")
LEAVES = ("leaf", "leaf-list")


class Wrong(Exception):
    """Why a model cannot be documented."""


def files(root):
    return sorted((Path(root) / "yang" / "src" / "main" / "yang").glob("*.yang"), key=module_name)


def module_name(file):
    return file.stem.partition("@")[0]


def pages(models):
    """Markdown by the name of the module."""
    return {module.arg: _page(ctx, module) for ctx, module in load(models)}


def load(models):
    ctx = _context(f"{models[0].parent}:{STANDARD}")
    return _validated(ctx, [ctx.add_module(str(file), file.read_text()) for file in models])


def load_text(text):
    ctx = _context(str(STANDARD))
    return _validated(ctx, [ctx.add_module("text", text)])[0]


def _context(folders):
    ctx = context.Context(repository.FileRepository(folders, use_env=False))
    ctx.opts = _options()
    return ctx


def _validated(ctx, loaded):
    ctx.validate()
    errors = [f"{pos}: {tag} {args}" for pos, tag, args in ctx.errors if pyang.error.is_error(pyang.error.err_level(tag))]
    if errors or None in loaded:
        raise Wrong("; ".join(errors))
    return [(ctx, module) for module in loaded]


@functools.cache  # a second init would add all plugins again
def _options():
    """What pyang's command line would be without options."""
    plugin.init([])
    parser = optparse.OptionParser()
    for each in plugin.plugins:
        each.add_opts(parser)
    return parser.parse_args([])[0]


def undescribed(module):
    """Paths of the nodes without a description."""
    return [_path(node) for node in nodes(module) if node.keyword not in ("input", "output") and not node.search_one("description")]


def nodes(parent):
    for child in getattr(parent, "i_children", []):
        yield child
        yield from nodes(child)


def rpcs(module):
    return [child for child in module.i_children if child.keyword == "rpc"]


def _page(ctx, module):
    out = [f"# {module.arg}", _text(module),
           f"Revision {module.search_one('revision').arg}, namespace `{module.search_one('namespace').arg}`.",
           "## Tree", "```text", _tree(ctx, module), "```"]
    data = [child for child in module.i_children if child.keyword in INNER]
    for child in data:
        out += ["## Data"] if child is data[0] else []
        out += _node(child, 3)
    for keyword, title in (("rpc", "RPCs"), ("notification", "Notifications")):
        found = [child for child in module.i_children if child.keyword == keyword]
        out += [f"## {title}"] if found else []
        for child in found:
            out += _operation(child) if keyword == "rpc" else _node(child, 3)
    return "\n\n".join(part for part in out if part).replace("```text\n\n", "```text\n").replace("\n\n```\n", "\n```\n") + "\n"


def _tree(ctx, module):
    out = io.StringIO()
    tree.emit_tree(ctx, [module], out, None, 100, None)
    return out.getvalue().strip()


def _operation(rpc):
    out = [f"### {rpc.arg}", f"`POST /rests/operations/{rpc.i_module.arg}:{rpc.arg}`", _text(rpc)]
    for part in rpc.i_children:
        if getattr(part, "i_children", []):
            out += [f"**{part.keyword.capitalize()}**"] + _inside(part, 4)
    return out


def _node(node, level):
    flags = [node.keyword]
    key = node.search_one("key")
    flags += [f"key `{key.arg}`"] if key else []
    flags += ["state, read only"] if node.keyword != "notification" and node.i_config is False and node.parent.keyword != "output" else []
    return [f"{'#' * min(level, 6)} {_path(node)}", f"*{', '.join(flags)}*", _text(node), *_must(node)] + _inside(node, level + 1)


def _inside(node, level):
    leaves = [child for child in node.i_children if child.keyword in LEAVES]
    out = []
    if leaves:
        rows = ["| leaf | type | unit | default | |", "|---|---|---|---|---|"]
        out.append("\n".join(rows + [_row(leaf) for leaf in leaves]))
    for child in node.i_children:
        out += _node(child, level) if child.keyword in INNER else []
    return out


def _row(leaf):
    name = f"`{leaf.arg}`" + ("*" if leaf.keyword == "leaf-list" else "")
    enums = [f"`{value}`: {text}" if text else f"`{value}`" for value, text in _enums(leaf.search_one("type"))]
    lines = [_text(leaf), *enums, *_must(leaf)]
    cells = (name, _type(leaf.search_one("type")), _inherited(leaf, "units"), _inherited(leaf, "default", "`{}`"),
             "<br>".join(part for part in lines if part))
    return "| " + " | ".join(re.sub(r"\n+", "<br>", cell) for cell in cells) + " |"


def _type(kind):
    """The built-in type with its effective limits."""
    if kind.arg == "union":
        return " or ".join(dict.fromkeys(_type(member) for member in kind.search("type")))
    limits, base = [], kind
    while base is not None:
        found = [f"{what.arg}" for word in ("range", "length") for what in base.search(word)]
        limits = limits or found
        typedef = getattr(base, "i_typedef", None)
        if typedef is None or base.arg == "union":
            break
        base = typedef.search_one("type")
    if base.arg == "union":
        return _type(base)
    if base.arg == "leafref":
        return "name of " + _escape(base.search_one("path").arg.removeprefix("../").replace("../", ""))
    return _escape(" ".join([base.arg] + limits))


def _enums(kind):
    members = kind.search("type") if kind.arg == "union" else [kind]
    out = []
    for member in members:
        while getattr(member, "i_typedef", None) is not None:
            member = member.i_typedef.search_one("type")
        out += [(enum.arg, _text(enum)) for enum in member.search("enum")]
        if member is not kind and member.arg == "union":
            out += _enums(member)
    return out


def _inherited(leaf, word, form="{}"):
    found, kind = leaf.search_one(word), leaf.search_one("type")
    while found is None and getattr(kind, "i_typedef", None) is not None:
        found, kind = kind.i_typedef.search_one(word), kind.i_typedef.search_one("type")
    return form.format(_escape(found.arg)) if found else ""


def _must(node):
    return [f"Refused otherwise: {_escape(error.arg)}." for must in node.search("must") for error in must.search("error-message")]


def _text(node):
    found = node.search_one("description")
    return "" if not found else "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", _escape(found.arg)))


def _escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("*", "\\*")


def _path(node):
    parts = []
    while node.keyword not in ("module", "rpc"):
        parts.append(node.arg or node.keyword)
        node = node.parent
    return "/".join(reversed(parts)) if node.keyword == "module" else "/".join([node.arg] + parts[::-1])
