"""What is read becomes words and numbers."""
import unittest

from daqfabric_constellation.reading import Reading, Run

DEGRADED = {
    "state": "running", "health": "degraded", "required-bandwidth": "10.000", "achievable-bandwidth": "19.500",
    "concern": [{"kind": "link", "name": "p1l1:to-p1s1", "detail": "down"}],
    "run": {"run-number": 12, "repairs": 1, "moved-dcms": 3, "worst-health": "degraded"},
}


class ReadingTest(unittest.TestCase):
    def test_nothing_there_is_idle(self):
        self.assertEqual("Fabric idle", str(Reading.of(None)))
        self.assertTrue(Reading.of(None).healthy)

    def test_status_says_what_is_amiss_with_numbers(self):
        self.assertEqual("Fabric degraded, run 12; 19.5 Gbps of 10 required; link p1l1:to-p1s1: down",
                         str(Reading.of(DEGRADED)))

    def test_many_concerns_are_counted(self):
        concerns = [{"kind": "dcm", "name": f"h1-1d{n}", "detail": "cut off"} for n in range(1, 31)]
        reading = Reading.of(DEGRADED | {"health": "insufficient", "concern": concerns})
        self.assertEqual(30, reading.metrics()["fabric_cut_off_dcms"])
        self.assertTrue(str(reading).endswith("; DCM h1-1d5: cut off; and 25 more"), str(reading))

    def test_bandwidth_is_said_once(self):
        concern = {"kind": "bandwidth", "name": "physics", "detail": "5 Gbps of 10"}
        self.assertEqual("Fabric insufficient, run 12; 5 Gbps of 10 required", str(Reading.of(
            DEGRADED | {"health": "insufficient", "achievable-bandwidth": "5.000", "concern": [concern]})))

    def test_metrics_are_numbers_and_only_what_is_known(self):
        self.assertEqual({"fabric_health": 1, "fabric_bandwidth": 19.5, "fabric_bandwidth_required": 10,
                          "fabric_cut_off_ros": 0, "fabric_cut_off_dcms": 0, "fabric_repairs": 1},
                         Reading.of(DEGRADED).metrics())
        self.assertEqual({"fabric_cut_off_ros": 0, "fabric_cut_off_dcms": 0}, Reading.of({}).metrics())

    def test_run_that_ended_is_summed_up(self):
        run = Run.of(DEGRADED["run"] | {"ended": "2026-11-21T10:00:00Z", "lowest-bandwidth": "9.000"})
        self.assertEqual("run 12 stopped: 1 repair, 3 DCMs moved, lowest bandwidth 9 Gbps, was degraded", str(run))
        lossy = Run.of(DEGRADED["run"] | {"daqring-drops": "1", "link-loss": [
            {"switch": "p1l1", "port": "to-p1s1", "packets": "2"}, {"switch": "p1s1", "port": "to-p1l1", "packets": "3"}]})
        self.assertEqual("run 12 running: 1 repair, 3 DCMs moved, was degraded, links lost 5 packets, daqrings dropped 1 packet",
                         str(lossy))

    def test_reason_of_an_error_is_shown(self):
        self.assertEqual("Fabric error: ask again", str(Reading.of({"state": "error", "reason": "ask again"})))
