"""Packets, arrivals, traces and manager targets."""
import datetime
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from . import support  # noqa: F401  (makes the library importable)
from daqlab_lib import arrivals, fabric, generate, lifecycle, ping, pki, probe, probing, trace
from daqlab_lib.errors import LabError

ANSWER = """Flow: icmp,in_port=LOCAL
bridge("br-daq")
----------------
 0. ip,nw_dst=10.2.1.1, priority 100, cookie 0xda00000000000001
    group:7
     -> using bucket 1
    bucket 1
            set_field:02:da:0a:02:01:01->eth_dst
            output:2

Final flow: unchanged
Megaflow: recirc_id=0,eth,ip,in_port=1,nw_dst=10.2.1.1,nw_frag=no
Datapath actions: set(eth(src=aa:00:00:00:00:01,dst=02:da:0a:02:01:01)),3
"""


class PureTest(unittest.TestCase):

    def test_trace_answer(self):
        found = trace.parse(ANSWER)
        self.assertEqual(["3"], found["outputs"])
        self.assertEqual([7], found["groups"])
        self.assertEqual("02:da:0a:02:01:01", found["eth-dst"])
        self.assertEqual("ip,nw_dst=10.2.1.1, priority 100, cookie 0xda00000000000001", found["rules"][0]["rule"])

    def test_trace_drop(self):
        self.assertEqual([], trace.parse("Datapath actions: drop\n")["outputs"])
        with self.assertRaisesRegex(LabError, "no such bridge"):
            trace.parse("no such bridge\n")

    def test_managers_over_tls(self):
        self.assertEqual(["ssl:172.31.0.2:6640", "tcp:10.0.0.1:6640"],
                         lifecycle.managers_of("172.31.0.2,tcp:10.0.0.1:6640", tls="folder"))

    def test_certificates_are_of_the_ca(self):
        """A second `up` keeps the CA, or the switches of the first would be strangers."""
        with tempfile.TemporaryDirectory() as name:
            folder = pki.ensure(name)
            authority = (folder / "ca-cert.pem").read_bytes()
            pki.ensure(name)
            self.assertEqual(authority, (folder / "ca-cert.pem").read_bytes())
            self.assertEqual([], pki.files_of(folder / "leaf"))
            pki.issue(folder, folder / "leaf", "leaf")
            key, certificate, ca = pki.files_of(folder / "leaf")
            for each in (certificate, folder / "controller-cert.pem"):
                subprocess.run(["openssl", "verify", "-CAfile", ca, each], check=True, capture_output=True)
            for secret in (key, folder / "ca-key.pem", folder / "controller-key.pem"):
                self.assertEqual(0o600, Path(secret).stat().st_mode & 0o777)

    def test_checksum(self):
        """A packet with its checksum in place sums up to zero."""
        self.assertEqual(0, ping.checksum(ping.echo_request(ping.ECHO[socket.AF_INET], 7, 9, b"abc!")))

    def test_every_pair_once_each_way(self):
        found = fabric.parse(generate.generate(generate.Size("x", 1, 1, 2, 3, 2, 4, 10)))[0]
        pairs = {(p.source.name, p.destination.name) for p in ping.pairs_of(found)}
        self.assertEqual(2 * 6 * 16, len(pairs))
        self.assertEqual(len(pairs), len(ping.pairs_of(found)))

    def test_pairs_of_control(self):
        """The supervisor and the DCMs of its flow of control, but not the one on its own node; no flow of events."""
        document = generate.generate(generate.Size("x", 1, 1, 2, 1, 1, 2, 10))
        entry = document["daqfabric:fabric"][0]
        entry["pod"][0]["host"] = [{"name": "sv", "address": "10.9.1.1", "switch": "r1-1"},
                                   {"name": "log", "address": "10.9.1.2", "switch": "h1-1"}]
        entry["flow"] = [{"name": "a", "from": "sv", "to": "h1-1", "kind": "control"},
                         {"name": "b", "from": "all-ros", "to": "sv", "kind": "control"},
                         {"name": "c", "from": "all-dcms", "to": "log"}]
        pairs = {(p.source.name, p.destination.name) for p in ping.control_pairs_of(fabric.parse(document)[0])}
        self.assertEqual({("sv", "h1-1d1"), ("sv", "h1-1d2"), ("h1-1d1", "sv"), ("h1-1d2", "sv"), ("r2-1", "sv"), ("sv", "r2-1")}, pairs)
        entry["flow"] = []
        with self.assertRaisesRegex(LabError, "x has no flow of kind control"):
            ping.control_pairs_of(fabric.parse(document)[0])

    def test_gap_spans_a_run_of_losses(self):
        """Requests 3 to 5 lost at 10 ms intervals: 40 ms from the answered one before to the one after."""
        pair = ping.Pair(None, None, ping.FORWARD, waiting={n: n * 10_000_000 for n in (1, 3, 4, 5)})
        self.assertEqual(40.0, pair.gap(0.01))
        self.assertEqual(0.0, ping.Pair(None, None, ping.FORWARD).gap(0.01))

    def test_last_lost_is_when_the_newest_of_them_was_sent(self):
        sent, at = time.monotonic_ns(), datetime.datetime.now(datetime.UTC)
        pair = ping.Pair(None, None, ping.FORWARD, waiting={7: sent - 10**12, 9: sent - 60 * 10**9})
        told = datetime.datetime.fromisoformat(pair.last_lost())
        self.assertAlmostEqual(at - datetime.timedelta(seconds=60), told, delta=datetime.timedelta(seconds=30))
        self.assertIsNone(ping.Pair(None, None, ping.FORWARD).last_lost())

    def test_managers(self):
        self.assertEqual(["tcp:172.31.0.1:6640", "tcp:172.31.0.2:7000", "ptcp:6640"],
                         lifecycle.managers_of("172.31.0.1,172.31.0.2:7000,ptcp:6640"))
        with self.assertRaisesRegex(LabError, "--controller tcp:here: write"):
            lifecycle.managers_of("tcp:here")


MS = 1_000_000  # ns


class ArrivalsTest(unittest.TestCase):
    """Packets every 1 ms, 2 ms in flight, unless a test says otherwise."""

    def after(self, arrived, sent=None):
        """`arrived`: (number, ms) in the order of arrival; `sent`: ms of each sending, ten from 0 on if not given."""
        found = arrivals.Arrivals(MS)
        for at in sent or range(10):
            found.send(at * MS)
        for number, at in arrived:
            found.arrive(number, at * MS)
        return found

    def outages(self, found):
        listed, is_open = found.outages()
        return [(o.beginning / MS, o.length / MS) for o in listed], is_open

    def test_undisturbed(self):
        found = self.after([(n, n + 2) for n in range(10)])
        self.assertEqual((10, 10, 0, 0, 0), (found.sent, found.received, found.lost, found.duplicates, found.reordered))
        self.assertEqual(([], False), self.outages(found))
        self.assertEqual(2 * MS, found.longest_delay)

    def test_outage_lasts_from_when_the_first_lost_was_due_until_the_next_arrives(self):
        found = self.after([(n, n + 2) for n in (0, 1, 2, 6, 7, 8, 9)])
        self.assertEqual(3, found.lost)
        self.assertEqual(([(5, 3)], False), self.outages(found))
        self.assertEqual(3, found.outages()[0][0].missing)

    def test_held_up_without_loss_is_an_outage_too(self):
        """A switch that thinks for 5 ms may lose nothing."""
        found = self.after([(0, 2), (1, 3), (2, 9), (3, 9), (4, 9), (5, 9), (6, 9), (7, 9), (8, 10), (9, 11)])
        self.assertEqual(0, found.lost)
        self.assertEqual(([(4, 5)], False), self.outages(found))
        self.assertEqual(0, found.outages()[0][0].missing)

    def test_pause_of_the_sender_is_no_outage(self):
        sent = [0, 1, 2, 52, 53, 54]
        self.assertEqual(([], False), self.outages(self.after([(n, at + 2) for n, at in enumerate(sent)], sent)))

    def test_pause_of_the_sender_beside_an_outage_does_not_lengthen_it(self):
        """Packet 3 lost; the sender paused before it, or after it."""
        for sent in ([0, 1, 2, 52, 53, 54], [0, 1, 2, 3, 53, 54]):
            with self.subTest(sent=sent):
                found = self.after([(n, sent[n] + 2) for n in (0, 1, 2, 4, 5)], sent)
                self.assertEqual([1], [length for _, length in self.outages(found)[0]])

    def test_pause_of_the_sender_within_an_outage_counts(self):
        """Nothing arrived before the pause nor after it."""
        sent = [0, 1, 2, 3, 53, 54]
        found = self.after([(n, sent[n] + 2) for n in (0, 1, 2, 5)], sent)
        self.assertEqual([(5, 51)], self.outages(found)[0])

    def test_lost_at_the_beginning_and_at_the_end(self):
        found = self.after([(n, n + 2) for n in (3, 4, 5)])
        self.assertEqual(([(0, 5), (8, 1)], True), self.outages(found))
        self.assertEqual(7, found.lost)

    def test_nothing_arrives(self):
        self.assertEqual(([(0, 9)], True), self.outages(self.after([])))
        self.assertEqual(([], False), arrivals.Arrivals(MS).outages())

    def test_late_packet_is_reordered_not_lost_and_ends_no_outage(self):
        """2 to 4 overtaken by 5: they arrive while 6 is missing."""
        found = self.after([(0, 2), (1, 3), (5, 7), (2, 7), (3, 8), (4, 9), (7, 10), (8, 10), (9, 11)])
        self.assertEqual((1, 3, 0), (found.lost, found.reordered, found.duplicates))
        self.assertEqual([(4, 3), (8, 2)], sorted(self.outages(found)[0]))

    def test_duplicates_count_once_each(self):
        found = self.after([(n, n + 2) for n in range(10)] + [(3, 12), (3, 13), (9, 14)])
        self.assertEqual((10, 0, 3, 0), (found.received, found.lost, found.duplicates, found.reordered))
        self.assertEqual(([], False), self.outages(found))

    def test_only_the_longest_are_kept(self):
        found = self.after([(n, n + 2) for n in range(0, 420, 2)] + [(425, 427)], range(426))
        self.assertEqual([6] + [1] * (arrivals.KEPT - 1), [length for _, length in self.outages(found)[0]])


class ProbeTest(unittest.TestCase):

    def test_bad_pairs_are_explained(self):
        found = fabric.parse(generate.generate(generate.Size("x", 1, 1, 1, 1, 1, 2, 10)))[0]
        self.assertEqual([("r1-1", "h1-1d1")], [(p.source.name, p.destination.name) for p in probe.pairs_of(found, ["r1-1", "h1-1d1"], 1)])
        for names, rate, words in ((["r1-1"], 1, "pairs of names"), (["r1-1", "nobody"], 1, "no ROS or DCM nobody"),
                                   (["h1-1d1", "h1-1d2"], 1, "same switch"), (["r1-1", "h1-1d1"] * 2, 1, "given twice"),
                                   (["r1-1", "h1-1d1"], 0.5, "--rate 0.5"), (["r1-1", "h1-1d1"], float("nan"), "--rate nan")):
            with self.subTest(words), self.assertRaisesRegex(LabError, words):
                probe.pairs_of(found, names, rate)


class SampleTest(unittest.TestCase):
    """A failure at 100 s; an outage is written as (seconds when it began, ms, packets missing)."""

    def outage(self, *outages, until=100.1):
        report = {"lost": 7, "pairs": [{"open": False, "outages": [{"at": a, "ms": ms, "missing": m}]} for a, ms, m in outages]}
        return probing.sample(report, 100.0, until).outage

    def test_longest_of_all_pairs_counts(self):
        self.assertEqual(8, self.outage((99.999, 5, 3), (100.001, 8, 9)))

    def test_what_was_over_before_does_not_count(self):
        self.assertEqual(5, self.outage((99.9, 90, 50), (100.001, 5, 9)))

    def test_late_hold_ups_count_only_with_losses(self):
        """The machine is busy with the repair, long after the switch has failed over."""
        self.assertEqual(5, self.outage((100.001, 5, 9), (100.5, 90, 0)))
        self.assertEqual(90, self.outage((100.001, 5, 9), (100.5, 90, 1)))
        self.assertEqual(90, self.outage((100.001, 5, 9), (100.5, 90, 0), until=float("inf")))
        self.assertEqual(6, self.outage((100.001, 5, 9), (100.05, 6, 0)))
