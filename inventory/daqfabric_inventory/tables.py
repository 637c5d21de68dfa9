"""Tables in files: a folder with hosts.csv and cables.csv, or one YAML file with the lists hosts and cables."""
import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import columns
from .model import Cell, Row
from .problems import Failed, Finding, Place, near, unknown

TABLES = {"hosts": columns.HOSTS, "cables": columns.CABLES}
Tables = dict[str, list[Row]]


def read(path: Path) -> tuple[Tables, list[Finding]]:
    """The rows of both tables, and what is wrong with their form."""
    findings: list[Finding] = []
    if path.is_dir():
        return {name: _csv(path / f"{name}.csv", TABLES[name], findings) for name in TABLES}, findings
    if path.suffix in (".yaml", ".yml"):
        return _yaml(path, findings), findings
    raise Failed(f"{path} is neither a folder with hosts.csv and cables.csv nor a file that ends in .yaml")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Failed(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Failed(f"{path} is not text in UTF-8: save it as 'CSV UTF-8' ({error.reason} at byte {error.start})") from error


def _csv(path: Path, known: dict[str, str], findings: list[Finding]) -> list[Row]:
    lines = _text(path).splitlines(keepends=True)
    delimiter = ";" if lines and ";" in lines[0] and "," not in lines[0] else ","  # as spreadsheets of half of Europe do
    try:
        records = [[cell.strip() for cell in record] for record in csv.reader(lines, delimiter=delimiter, strict=True)]
    except csv.Error as error:
        raise Failed(f"{path} is no CSV: {error}; is a quotation mark missing?") from error
    if not records:
        raise Failed(f"{path} is empty: its first row names the columns, which are {', '.join(known)}")
    header, *rest = records
    meant = [_meant(column, known, header) for column in header]
    for number, column in enumerate(header, 1):
        place = Place(str(path), 1, column or str(number))
        if column not in known:
            findings.append(Finding(place, unknown("column", column, known)))
        elif column in header[:number - 1]:
            findings.append(Finding(place, "the column is there twice: remove one of them"))
    rows = []
    for number, record in enumerate(rest, 2):
        if not any(record) or record[0].startswith("#"):
            continue
        place = Place(str(path), number)
        if any(record[len(header):]):
            findings.append(Finding(place, f"has {len(record)} cells, but the first row names {len(header)} columns: is a "
                                           "comma in a cell without quotation marks around it?"))
        rows.append(Row(place, {column: Cell(text, Place(str(path), number, column))
                                for column, text in zip(meant, record) if text and column}))
    return rows


def _meant(column: str, known: dict[str, str], others: Iterable[str]) -> str | None:
    """The column that was probably meant, so that one wrong name is one mistake and not one in each row."""
    if column in known:
        return column
    close = near(column, known)
    return None if close in others else close


def _yaml(path: Path, findings: list[Finding]) -> Tables:
    try:
        import yaml
    except ImportError as error:
        raise Failed(f"to read {path} PyYAML is needed: install python3-yaml, or write the tables as CSV") from error
    try:
        # Nodes and not values: they know their lines, and 02:00:00:00:00:01 stays what was written.
        root = yaml.compose(_text(path), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise Failed(f"{path} is no YAML: {error}") from error
    tables: Tables = {name: [] for name in TABLES}
    if not isinstance(root, yaml.MappingNode):
        raise Failed(f"{path} must hold two lists: hosts and cables")
    for key, value in root.value:
        place = Place(str(path), key.start_mark.line + 1, unit="line")
        if key.value not in TABLES:
            findings.append(Finding(place, unknown("table", str(key.value), TABLES)))
        elif not isinstance(value, yaml.SequenceNode):
            findings.append(Finding(place, f"{key.value} must be a list: write '- name: ...' for each"))
        else:
            tables[key.value] += [_entry(path, node, TABLES[key.value], findings, yaml) for node in value.value]
    return tables


def _entry(path: Path, node: Any, known: dict[str, str], findings: list[Finding], yaml: Any) -> Row:
    place = Place(str(path), node.start_mark.line + 1, unit="line")
    cells: dict[str, Cell] = {}
    if not isinstance(node, yaml.MappingNode):
        findings.append(Finding(place, "must name its columns, as in '- {name: p1s1, role: spine}'"))
        return Row(place, cells)
    for key, value in node.value:
        at = Place(str(path), key.start_mark.line + 1, str(key.value), "line")
        column = _meant(str(key.value), known, [str(each.value) for each, _ in node.value])
        if key.value not in known:
            findings.append(Finding(at, unknown("column", str(key.value), known)))
        if column is None:
            continue
        if column in cells:
            findings.append(Finding(at, "the column is there twice: remove one of them"))
        elif not isinstance(value, yaml.ScalarNode):
            findings.append(Finding(at, "must be a single value"))
        elif value.tag != "tag:yaml.org,2002:null" and value.value.strip():
            cells[column] = Cell(value.value.strip(), at)
    return Row(place, cells)


def write_csv(folder: Path, tables: dict[str, list[dict[str, str]]]) -> None:
    """Writes both tables, without columns that are empty everywhere."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        used = [column for column in TABLES[name] if any(row.get(column) for row in rows)]
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(used)
            writer.writerows([row.get(column, "") for column in used] for row in rows)
