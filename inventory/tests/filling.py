"""Puts a fabric into a NetBox by its REST API, as an experiment documents it there."""
import json
import urllib.error
import urllib.request

from daqfabric_inventory.netbox import FIELDS

NUMBERS = ("plane", "pod", "spine", "ovsdb-port")
AT_ONCE = 100  # objects of one request


class Filling:
    """A NetBox that is written to."""

    def __init__(self, url, token):
        self._url, self._token = url, token

    def post(self, path, document):
        """Makes an object, or several; returns what NetBox says of them."""
        scheme = "Bearer" if self._token.startswith("nbt_") else "Token"
        request = urllib.request.Request(f"{self._url}/api/{path}/", json.dumps(document).encode(), {
            "Authorization": f"{scheme} {self._token}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"POST {path}: {error.code} {error.read().decode()[:500]}") from error

    def several(self, path, documents):
        """Makes many objects."""
        return [made for first in range(0, len(documents), AT_ONCE) for made in self.post(path, documents[first:first + AT_ONCE])]

    def begin(self):
        """What every installation has: sites, types, roles, and here the custom fields of docs/how-to/inventory.md."""
        self.site = self.post("dcim/sites", {"name": "Point 1", "slug": "point-1"})["id"]
        maker = self.post("dcim/manufacturers", {"name": "Any", "slug": "any"})["id"]
        self.type = self.post("dcim/device-types", {"manufacturer": maker, "model": "Server", "slug": "server"})["id"]
        self.roles = {role: self.post("dcim/device-roles", {"name": role.upper(), "slug": role})["id"]
                      for role in ("ros", "rack", "leaf", "spine", "dcm", "spare", "office")}
        for column, name in FIELDS.items():
            self.post("extras/custom-fields",
                      {"name": name, "object_types": ["dcim.device"], "type": "integer" if column in NUMBERS else "text"})

    def devices(self, rows, tag):
        """The devices of a table of hosts, with the tag; their ids by name."""
        tags = [{"slug": tag}]
        made = self.several("dcim/devices", [
            {"name": row["name"], "device_type": self.type, "role": self.roles[row["role"]], "site": self.site, "tags": tags,
             "custom_fields": {field: int(row[column]) if column in NUMBERS else row[column]
                               for column, field in FIELDS.items() if row.get(column)}} for row in rows])
        return {device["name"]: device["id"] for device in made}

    def tag(self, slug):
        """Makes a tag."""
        self.post("extras/tags", {"name": slug, "slug": slug})

    def fill(self, tables, tag):
        """A fabric: the addresses of ROS and DCMs have the tag, the MACs of DCMs are on their interfaces. The devices' ids by name."""
        self.tag(tag)
        ids = self.devices(tables["hosts"], tag)
        ends = sorted({end for cable in tables["cables"] for end in ((cable["a"], cable.get("a-port") or "eth0"),
                                                                     (cable["b"], cable["b-port"]))})
        hosts = {row["name"]: row for row in tables["hosts"]}
        addressed = [(name, "data") for name, row in hosts.items() if row.get("address")]
        speeds = {end: int(float(cable["capacity"]) * 1e6) for cable in tables["cables"] if cable.get("capacity")
                  for end in ((cable["a"], cable["a-port"]), (cable["b"], cable["b-port"]))}
        made = self.several("dcim/interfaces", [
            {"device": ids[host], "name": port, "type": "virtual" if port == "data" else "10gbase-x-sfpp",
             "speed": speeds.get((host, port))}
            for host, port in [*ends, *addressed]])
        ports = {(interface["device"]["name"], interface["name"]): interface["id"] for interface in made}
        networks = {name: f"{row['address']}/{128 if ':' in row['address'] else 32}" for name, row in hosts.items() if row.get("address")}
        self.several("ipam/ip-addresses", [
            {"address": networks[name], "assigned_object_type": "dcim.interface", "assigned_object_id": ports[name, port],
             "tags": [{"slug": tag}]} for name, port in addressed])
        for name, row in hosts.items():
            if row.get("mac") and (name, "eth0") in ports:
                mac = self.post("dcim/mac-addresses", {"mac_address": row["mac"], "assigned_object_type": "dcim.interface",
                                                       "assigned_object_id": ports[name, "eth0"]})
                self.patch(f"dcim/interfaces/{ports[name, 'eth0']}", {"primary_mac_address": mac["id"]})
        self.several("dcim/cables", [self.cable(ports[cable["a"], cable.get("a-port") or "eth0"], ports[cable["b"], cable["b-port"]])
                                     for cable in tables["cables"]])
        return ids

    def cable(self, a, b, a_type="dcim.interface", b_type="dcim.interface", status="connected"):
        """A cable between two objects."""
        return {"a_terminations": [{"object_type": a_type, "object_id": a}], "b_terminations": [{"object_type": b_type, "object_id": b}],
                "status": status}

    def patch(self, path, document):
        """Changes an object."""
        scheme = "Bearer" if self._token.startswith("nbt_") else "Token"
        request = urllib.request.Request(f"{self._url}/api/{path}/", json.dumps(document).encode(), {
            "Authorization": f"{scheme} {self._token}", "Content-Type": "application/json"}, method="PATCH")
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.loads(answer.read())
