"""Numbers and tables in Markdown."""


def table(head, rows):
    return "\n".join([_row(head), "|" + "---|" * len(head), *map(_row, rows)])


def _row(cells):
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def whole(number):
    """With a space between thousands from 10 000 on."""
    return f"{number:,.0f}".replace(",", " ") if number >= 10_000 else f"{number:.0f}"


def short(number):
    """With two digits at least, and whole from 10 on."""
    if number >= 10 or number == 0:
        return whole(number)
    return f"{number:.1f}" if number >= 1 else f"{number:.2f}" if number >= 0.1 else f"{number:.3f}"


def slashed(values, form=short):
    return " / ".join(form(value) for value in values)


def span(value, form=str):
    """One number, or the lowest and the highest."""
    return f"{form(value[0])} to {form(value[1])}" if isinstance(value, list) else form(value)


def highest(value):
    return max(value) if isinstance(value, list) else value


def verdict(value, limit):
    return "met" if highest(value) <= limit else "missed"


def measured(*documents):
    """Where and when the numbers of a section are from."""
    found = dict.fromkeys((document["date"], document["machine"]) for document in documents)
    return "Measured " + "; ".join(f"{date} on {machine}" for date, machine in found) + "."
