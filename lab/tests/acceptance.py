"""What daqrings promise, on real Open vSwitch under the controller that runs, in two minutes: pass or fail.

The long form, with what the thesis measured, is `make experiments`; its rates are lower here, so that a machine of which
something else has a core still carries them. Run as root: scripts/with-controller python3 -m unittest -v lab.tests.acceptance
"""
import subprocess
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from .support import needs_root
from daqlab_lib import demo, demo_traffic, generate, hosts, netns, profile, running
from daqlab_lib.events import Load
from daqlab_lib.experiments import scale
from daqlab_lib.experiments.testbed import testbed_of
from daqlab_lib.restconf import Restconf

NAME = "acceptance"
SIZE = generate.Size(NAME, planes=2, spines=2, **scale.PROTOTYPE)
ROOM = demo_traffic.ROOM
GOODPUT = 0.95       # least part of what the links carry, but for that room
LATENCY = 1.03       # most, in times that an event takes at the daqring's limit
APPLICATIONS = 10    # on each of the 6 ROS
EVENT = 400          # ms that an event of all applications takes
RTO_MIN = 3000       # ms: TCP's smallest timeout, as far from that as 200 ms are on links of Gbit/s
SECONDS = 8.0        # that are measured
LOAD = replace(demo_traffic.LOAD, first=True)
FRAGMENT = 131072    # bytes, of the thesis's prototype


@needs_root
class DaqringsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.controller = Restconf("http://127.0.0.1:8181/rests")
        cls.document = generate.generate(SIZE)
        cls.enterClassContext(running.switches(cls.controller, cls.document, folder / "fabric.json", demo.WITH_RINGS))
        cls.bed = testbed_of(cls.controller, folder, cls.document)
        cls.bed.run_first()

    def test_all_dcms_at_once(self):
        """6 ROS answer 48 DCMs, each daqring limited to its DCM's share: the racks' links are full but for ROOM; nothing is lost."""
        bed = self.bed
        bed.arrange(scale.limited(ROOM * demo_traffic.LINKS.rate * SIZE.planes / SIZE.dcms), demo_traffic.LINKS)
        found, = bed.measure(LOAD, SECONDS, 1, ROOM * bed.bandwidth())
        self.assertGreaterEqual(found.ratio, GOODPUT, found)
        self.assertEqual((0, 0, 0), (found.timeouts, found.ring_drops, found.queue_drops), found)

    def test_ten_applications_on_each_ros(self):
        """60 connections to one DCM; the daqring holds their event, and lets it out without a pause.

        It also has room for the acknowledgement of each request, sent when an application takes longer to answer than 40 ms.
        """
        bed = self.bed
        dcm = bed.current.fabric.of_kind("dcm")[0].name
        packets = APPLICATIONS * len(bed.current.fabric.of_kind("ros"))
        rate = packets * scale.WIRE * 8 / EVENT / 1e3
        bed.arrange(scale.limited(rate, size=2 * packets, on="destination-leaf"))
        load = Load(size=scale.fragment(1), applications=APPLICATIONS, dcms=(dcm,), rto_min=RTO_MIN, first=True)
        found, = bed.measure(load, SECONDS, 1, rate)
        self.assertLessEqual(found.mean / EVENT, LATENCY, found)
        self.assertEqual((0, 0), (found.timeouts, found.ring_drops), found)

    def test_cut_under_traffic(self):
        """A link between spine and leaf fails and returns: nothing is lost but what was on it, and nothing is slower after."""
        bed = self.bed
        bed.arrange({"on": "none"}, demo_traffic.LINKS)
        link = demo.busiest(self.document["daqfabric:fabric"][0], self.controller.state(NAME))
        phases = demo_traffic.cut_with_rings(self.controller, bed, (link["switch"], link["port"]), LOAD)
        self.assertEqual([], demo_traffic.Result(None, *phases).failures())
        self.assertGreater(phases[1].events, 0, "during the cut")

    def test_hosts_as_the_controller_prints_them(self):
        """What hosts have by themselves is part of rpc host-profile for this policy; all of it that is no card's can be set."""
        bed = self.bed
        bed.arrange({"on": "all-switches", "ring-size": scale.DAQRING_SIZE})
        for end in profile.representatives(bed.current):
            printed = profile.route_options(profile.script(self.controller, bed.current, end, FRAGMENT))
            own = {"rto_min": f"{hosts.RTO_MIN}ms", "congctl": hosts.CONGESTION_CONTROL} | ({"quickack": "1"} if end.kind == "dcm" else {})
            self.assertEqual(own, {name: value for name, value in printed.items() if name != "initcwnd"}, end.name)
        self.assertEqual(["ethtool -A", "ethtool -C", "ethtool -G", "for each"], profile.apply(self.controller, bed.current, FRAGMENT))
        for end in profile.representatives(bed.current):
            with netns.inside(bed.current.namespace_of(end)):
                shown = subprocess.run(["ip", "route"], text=True, capture_output=True, check=True).stdout.splitlines()
                self.assertEqual("0", netns.read_sysctl("net.ipv4.tcp_slow_start_after_idle"), end.name)
            for line in shown:
                if not line.startswith("default") and "kernel" not in line:
                    self.assertIn("rto_min lock 20ms", line)
                    self.assertEqual(end.kind == "ros", "initcwnd" in line, line)


if __name__ == "__main__":
    unittest.main()
