"""Random inventories that have nothing wrong."""
import csv
import random

from daqfabric_inventory import payload
from daqlab_lib import generate


def fabric(seed):
    """A fabric as RESTCONF has it: uneven, with capacities, weights, nodes of their own, DCMs behind ports, and a spare."""
    choose = random.Random(seed)
    size = generate.Size(f"g{seed}", planes=choose.randint(1, 3), spines=choose.randint(1, 3), pods=choose.randint(1, 3),
                         ros=choose.randint(1, 3), racks=choose.randint(1, 3), dcms=choose.randint(1, 4), capacity=choose.choice((10, 40)),
                         dcm_ports=choose.random() < 0.4)
    made, = generate.generate(size)["daqfabric:fabric"]
    lone = {link["switch"] for link in made["link"]}
    for link in list(made["link"]):
        if choose.random() < 0.1 and sum(each["switch"] == link["switch"] for each in made["link"]) > 1 and link["switch"] in lone:
            made["link"].remove(link)
        elif choose.random() < 0.2:
            link["capacity"] = choose.choice(("25", "2.5", "100"))
    for number, entry in enumerate(made["switch"]):
        if choose.random() < 0.2:
            entry["system-id"] = f"node-{number}"
        if choose.random() < 0.1:
            entry |= {"ovsdb-address": f"172.16.0.{number + 1}", "bridge": "br-other"}
            if choose.random() < 0.5:
                entry["ovsdb-port"] = 6699
        if choose.random() < 0.1:
            entry["datapath-type"] = "system"
    for pod in made["pod"]:
        for ros in pod["ros"]:
            if choose.random() < 0.2:
                ros["fragment-weight"] = "1.5"
        for rack in pod["hlt-rack"]:
            for dcm in rack["dcm"]:
                if choose.random() < 0.2:
                    dcm["weight"] = "0.25"
    if choose.random() < 0.3:
        made["switch"].append({"name": "later"})
    return made


def inventory(seed):
    """The same as an inventory."""
    return payload.inventory(fabric(seed))


def rows(path):
    """The rows of a CSV table as lists."""
    with path.open(newline="") as file:
        return list(csv.reader(file))


def write(path, content):
    """Writes such rows."""
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(content)
