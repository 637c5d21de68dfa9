"""Packets, traces and manager targets."""
import subprocess
import tempfile
import unittest
from pathlib import Path

from . import support  # noqa: F401
from daqlab_lib import fabric, generate, lifecycle, ping, pki, trace
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
        self.assertEqual(0, ping.checksum(ping.echo_request(7, 9, b"abc!")))

    def test_every_pair_once_each_way(self):
        found = fabric.parse(generate.generate(generate.Size("x", 1, 1, 2, 3, 2, 4, 10)))[0]
        pairs = {(p.source.name, p.destination.name) for p in ping.pairs_of(found)}
        self.assertEqual(2 * 6 * 16, len(pairs))
        self.assertEqual(len(pairs), len(ping.pairs_of(found)))

    def test_gap_spans_a_run_of_losses(self):
        """Requests 3 to 5 lost at 10 ms intervals: 40 ms from the answered one before to the one after."""
        pair = ping.Pair(None, None, ping.FORWARD, waiting={n: n * 10_000_000 for n in (1, 3, 4, 5)})
        self.assertEqual(40.0, pair.gap(0.01))
        self.assertEqual(0.0, ping.Pair(None, None, ping.FORWARD).gap(0.01))

    def test_managers(self):
        self.assertEqual(["tcp:172.31.0.1:6640", "tcp:172.31.0.2:7000", "ptcp:6640"],
                         lifecycle.managers_of("172.31.0.1,172.31.0.2:7000,ptcp:6640"))
        with self.assertRaisesRegex(LabError, "--controller tcp:here: write"):
            lifecycle.managers_of("tcp:here")
