"""The thesis's values that daqlab_lib.experiments.thesis has not, and the lab's, from its page."""

# Figure 6.9: mean latency and its standard deviation, ms
LATENCY = {
    ("1 plane, 1 spine", "default TCP"): (5.6, 38.84), ("1 plane, 1 spine", "daqrings"): (13.0, 62.93),
    ("1 plane, 1 spine", "rate-limited daqrings"): (7.6, 0.59),
    ("2 planes, 1 spine", "default TCP"): (5.4, 38.06), ("2 planes, 1 spine", "daqrings"): (13.1, 63.99),
    ("2 planes, 1 spine", "rate-limited daqrings"): (7.5, 0.79),
    ("2 planes, 2 spines", "default TCP"): (4.63, 30.36), ("2 planes, 2 spines", "daqrings"): (9.0, 42.60),
    ("2 planes, 2 spines", "rate-limited daqrings"): (5.5, 0.19),
}


def lab(page, figure, column):
    """Of the table of a figure in the lab's page: {the cells before the first number: the median in that column}.

    page: text of docs/experiments.md; column: text that its head begins with.
    """
    section = page.partition(f"## Figure {figure}: ")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    at = next(i for i, head in enumerate(rows[0]) if head.startswith(column))
    found = {}
    for row in rows[2:]:
        keys = [cell for cell in row[:at] if cell and not cell[0].isdigit()]
        keys += [row[i] for i, head in enumerate(rows[0][:at]) if head == "of an event"]
        # "1 plane, 1 spine" begins with a digit and is a name
        keys = [cell for cell in row[:at] if " plane" in cell] + [key for key in keys if " plane" not in key]
        found[tuple(keys)] = float(row[at].split()[0])
    return found
