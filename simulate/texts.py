"""The words of docs/simulation.md."""

HEAD = """# Simulation in true time

The lab's links are some thousand times slower than the thesis's ([experiments.md](experiments.md)), as namespaces of one machine
cannot forward more. Here the same networks run at 10 Gbps, with milliseconds and TCP's timeout of 200 ms, packet by packet:

    make simulate                      # numbers in docs/simulation/figure-*.json, and this page
    scripts/simulate 5.8 atlas         # some figures; the others stay as they are
    scripts/simulate test              # its tests, a few seconds

It needs a C++ compiler, and neither root nor switches nor a running controller. The same seed gives the same numbers.

- **Fabric and paths.** A fabric file of the lab (`daqlab generate`). The controller's own engine places its DCMs, repairs the
  placement after a failure and compiles the rules of all switches; packets of every pair of a ROS and a DCM are then traced through
  these rules, in both directions, and the ports and daqrings they pass are what the simulation has.
- **Daqrings** as [`netdev-daqring.c`](daqring.md) keeps them: a queue of packets per DCM and switch, `ring-size`, `max-burst`,
  `polling-interval` and `credit`, polled exactly when a burst is due.
- **Ports** hold 2048 packets, the descriptors that the thesis's Open vSwitch asked of a network card (figures 5.8 and 5.10:
  512, as its DPDK application), and drop what does not fit. What does not fit into the port of a host waits in the host.
- **Hosts** have the TCP of ns-3 3.44: segments of 1460 bytes, delayed acknowledgements, least timeout 200 ms; either CUBIC with SACK
  and an initial window of 10, as Linux, or a static window of 1000 segments without SACK, as the thesis's in chapters 5 and 6
  ("whatever a ROS has is sent at once"). All ROS answer a DCM's requests at once, and a DCM requests its next event when it has one.
- **Hosts of the prototype** (6.8, 6.9): behind the two links of a host is its PCIe bus of 12.19 Gbps, before which its network
  cards hold 340 packets (512 kB).

**What the model leaves out.** Processors: a switch forwards at any rate, 5 us after a packet has come, and a daqring is never polled
late. The interrupts, offloads and scheduling of hosts. What Linux does and ns-3's TCP does not: tail loss probes, RACK, pacing,
small queues, slow start after a pause. Pause frames. What reads the file: BFD, LLDP and the controller's own traffic. A simulated
second is short: each table says how much of it there is, so rare events are missed.

Goodput and jitter are as in [experiments.md](experiments.md). A run begins when all connections are made; what happens until DCMs
are out of step is not counted.
"""

TITLES = {
    "5.8": "Figure 5.8: size of the daqrings",
    "5.10": "Figure 5.10: one DCM, 110 ROS applications",
    "6.8": "Figure 6.8: burst against interval",
    "6.9": "Figure 6.9: ways to handle incast",
    "6.4": "1120 DCMs: the fabric of figure 6.4",
    "atlas": "2000 DCMs: ATLAS in Run 2",
}

AFTER = {
    "5.8": """11 ROS with 128 KiB each, 12 DCMs of one host (thesis: twelve such hosts), daqrings limited to 32 packets per 500 us (0.78
Gbps). Simulated: 0.3 s, where daqrings are too small 1 to 1.5 s.
""",
    "5.10": """Ten applications on each of 11 hosts, one DCM, daqrings limited to 0.78 Gbps. Simulated: 2.5 s.
""",
    "6.8": "",
    "6.9": "",
    "6.4": "",
    "atlas": "",
}
