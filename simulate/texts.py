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
- **Ports** of switches hold 8 queues of 4096 packets and drop what does not fit: each core of the thesis's switches has a queue at
  a port, as long as the network card allows (sections 5.4.1, 5.5.2 and 5.5.4), and it needs 8 cores (5.5.3). The farms below have
  2048 packets. What does not fit into the port of a host waits in the host.
- **Hosts** have the TCP of ns-3 3.44: segments of 1460 bytes, delayed acknowledgements, least timeout 200 ms; either CUBIC with SACK
  and an initial window of 10, as Linux, or a static window of 1000 segments without SACK, as the thesis's in chapters 5 and 6
  ("whatever a ROS has is sent at once"). All ROS answer a DCM's requests at once, and a DCM requests its next event when it has one.
- **Lossless hosts** (whole farms): ns-3's TCP was estimated to take 30 s of computing for a millisecond of 1120 DCMs. These hosts
  put the same packets on the network as long as nothing is lost (a test compares both), at less than a tenth of the effort:
  connections that are there from the beginning, a fragment sent at once, as it is shorter than the initial window, an
  acknowledgement for each second segment, with the next request, or after 40 ms. Ports have no bound then: the most that waited at
  one tells what it needs.
- **Hosts of the prototype** (6.8, 6.9): behind the two links of a host is its PCIe bus of 12.19 Gbps (6.3.1), before which the
  network card holds 340 packets of each link (512 kB). About every 25 ms a host takes nothing for 490 us. The thesis says that hosts
  fluctuate, that pause frames covered it in chapter 5 (5.4.1, 5.6.1) and were off in chapter 6 (6.3.1), without numbers. These are
  the most that its limits without a loss allow (figure 6.8g): at 8.3 Gbps by one link a card is full after 490 us, and at 11.8 Gbps
  by both a bus of 12.19 needs 22 ms to take what waited.

**What the model leaves out.** Processors: a switch forwards at any rate, 5 us after a packet has come, and a daqring is never polled
late. Interrupts and offloads of hosts, and what else they do. What Linux does and ns-3's TCP does not: tail loss probes, RACK, pacing,
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
    "causes": "Why default TCP is better than in the thesis",
    "6.4": "1120 DCMs: the fabric of figure 6.4",
    "atlas-whole": "2000 DCMs: ATLAS in Run 2",
    "atlas": "ATLAS in Run 2: the DCMs of two spines",
}

AFTER = {
    "5.8": """11 ROS with 128 KiB each, 12 DCMs of one host (thesis: twelve such hosts), daqrings limited to 32 packets per 500 us (0.78
Gbps). Simulated: 0.3 s, where daqrings are too small 1 to 1.5 s.

As in the thesis, daqrings of 128 and 512 packets collapse with its static window (with cubic they reach 85 and 91 %), and from a
whole event on nothing is lost. The latency is that of the
daqring alone, 15.5 ms; the thesis's 17.2 ms, 10 points more, has the time that its hosts took to answer, of which the model
has 2 us. The lab needs a quarter more than an event, as Linux sends a last segment twice (tail loss probe); ns-3's TCP does not.
""",
    "5.10": """Ten applications on each of 11 hosts, one DCM, daqrings limited to 0.78 Gbps. Simulated: 2.3 s, so there are few events.

With cubic it is as in the thesis: 9000 packets are enough (latency 1.00 of the serialisation time, thesis 1.02), and with 3000 and
fewer there are more timeouts than events (thesis: below 5000 one in each). With the static window all 9900 packets of an event
come within 1.1 ms, of which the daqring lets out 70, so it must hold nearly all of them. The thesis does not
say which of the two its hosts had here; its numbers are those of a growing window.
""",
    "6.8": """Simulated: 0.05 s for each setting, from when the last DCM has begun. With one spine the limit that loses nothing is
where the links are full, near the thesis's. With one plane and two spines it is what pauses of a host leave of one port; their length
was taken from there, so this is no test of the model. With two planes goodput is greatest at 60 % of the share, as in the thesis, and
falls above it; but some packets are lost there and with less, when two pauses are close to each other.
""",
    "6.9": """Default TCP is cubic with SACK, daqrings have the static window; the limits are those of figure 6.8 in the thesis, 2
planes with 1 spine as 1 with 1, where each rack has one of its ports in use only, as the thesis's ("still using only a single port",
6.3.2.2).
Simulated: 0.06 s with limited daqrings, otherwise 0.2 s after 0.2 s that are not counted; one seed.

Goodput has the thesis's order with 1 plane and with 2 planes and 2 spines: limited daqrings, default TCP, daqrings without a limit.
With 2 planes and 1 spine default TCP is before daqrings without a limit, too, but limited ones come last: at 54.8 % (thesis 51.7 %)
they are at their limit, 54.6 %, which the others pass here and not in the thesis. Limited daqrings have the least jitter everywhere,
0.1 to 0.4 ms (thesis 0.2 to 0.8). Jitter and latency of all three are near the thesis's with 2 planes and 2 spines. With 1 spine there
are fewer timeouts than in the thesis, with 2 planes about as many for default TCP as for daqrings, so their order tells nothing.

More than five points away from the thesis:

- **Default TCP** (39 points more with 1 plane, 41 with 2 planes and 1 spine, 32 with 2 spines) and **daqrings without a limit** (45,
  45 and 7): hosts here lose packets only as often as the thesis's limited daqrings, which lost none, allow. The next table has what
  else was tried. The thesis's own numbers say that its DCMs did not collect all the time: at 57.3 % of 38 Gbps each of 48 DCMs has
  an event every 13.9 ms, and an event took 5.6 ms. With daqrings it is 17.0 and 13.0 ms; with limited ones, which lose nothing, 8.3 and
  7.6 ms (2 planes, 2 spines: 10.7 and 4.63, 11.7 and 9.0, 5.8 and 5.5 ms). So after losses its DCMs did something that is not in
  the latency, more than half of the time with default TCP. What, it does not say; it mentions collections that are aborted (4.5.3) and
  connections that DCMs make anew (6.3.2.3). Here a DCM always collects.
- **Limited daqrings, 2 planes with 2 spines** (11 points more): its hosts took 5.5 ms for an event that needs 4.5 at the limit, and
  0.3 ms to the next; here it is 4.6 ms and none. Two pauses close to each other lost 18 packets.

**With daqrings at the leaves of the ROS too** 18 packets wait at a port to a spine at most with 2 spines, instead of 749. With 1
plane, where these ports are the limit, 3700 and 4800 of 32768 packets wait there.
""",
    "causes": """Each row changes one thing. Simulated: 0.1 s after 0.05 s, less than a timeout: DCMs that lost their last packet at the
beginning wait in all of it, so a goodput may be 5 points lower than after a longer time (the first row has 97 % above), and timeouts
are not seen.

- Nothing that the thesis gives a number for makes default TCP half as fast. Ports of switches as long as it says make it faster: with
  2048 packets they lose at the port to the spine. Limited daqrings, of which 4800 wait there (above), would as well; in the thesis
  they lost nothing.
- **Pauses of hosts and what cards hold** are what matters: with 64 packets it is 57 %, with latency and jitter below the thesis's. But
  such a card is full after 93 us at 8.3 Gbps, so pauses of 490 us would make limited daqrings lose too, which lost nothing.
- With pauses five times as often limited daqrings of 2 planes lose, too: their bus cannot take in between what waited.
- **SACK** was off in most of its tests (3.5.2), but it does not say whether with default TCP.
""",
    "6.4": """100 ROS with 12 kB each, 28 racks, 2 planes of 4 spines, 144 switches. Simulated are all DCMs, with lossless hosts: they
begin within the time of an event, and counted is the time of one event after that of two, so every DCM is past its first. Daqrings
have a DCM's share of the bandwidth as limit, or 90 % of it, 4 packets per interval.

No daqring is ever full: of an event's 1000 packets 746 wait in one at most, and an event takes 1.01 of the time in which the limit lets
it out. That is 92 % of the limit in goodput, and no more is possible: a fragment takes nine packets, of which the last is short, and
daqrings count packets, not bytes. The loss of a link is that of its spine: by DCM, no address is placed on a spine that does
not join all pods.

Most packets wait at the ports of leaves to spines, in front of which there is no daqring: 4985 at one of a whole fabric, 6633 after
the loss of a link or spine. One queue of a network card (2048) loses some of these, the eight queues of a server's port (32768) none.
At 90 % of the share it is 4763 and 3672. After the loss of a leaf all of its pod's packets pass the other plane's: 21444 wait
there, 10789 at 90 %. DCMs whose packets come by two leaves then have two daqrings, and get more than one limit.
""",
    "atlas-whole": """All 2000 DCMs in the same way, with 100 ROS, 50 racks, 4 planes of 10 spines, 206 switches.

It is as above, and milder, as each port has fewer DCMs: 3313 packets wait at the port of a leaf to a spine, 4484 after the loss of a
leaf, of which a server's port holds 32768. At 90 % of the share 3114 and 2907.
""",
    "atlas": """100 ROS with 12 kB each, 50 racks, 4 planes of 10 spines, 206 switches. Simulated are the DCMs of two of 40 spines: whatever
passes a spine and the ports to and from it belongs to them, so a slice is exact there; it leaves out what DCMs of other spines put on the
uplinks of ROS and racks. A DCM's daqrings have its share of the bandwidth as limit, 4 packets per interval. Counted is one event
of each DCM, 11 to 16 ms.

Nothing is lost. The goodput is a tenth below the bandwidth because the events counted are the first of their connections: a ROS
acknowledges a first request in a packet of its own, and a daqring limits packets, not bytes, so 100 acknowledgements take the place of
100 of 1000 packets. Later events have no such packets, as the answer carries the acknowledgement: alone, a DCM then takes 11.0 ms.

Where a loss is near: **the leaf of the ROS's pod, at its ports to the spines**, at which up to 1403 of 2048 packets wait. The
controller sets up daqrings at the leaf of the DCM and at its spine, and none at the leaves of the ROS. There
38 DCMs share a port of 10 Gbps for a quarter of their 1 Gbps each, which fills it to 95 %, and each of their events comes as a
burst of 225 packets. Nine of these at a time fill the port. When all DCMs of the slice begin within 1 ms,
as in the last row, 24876 packets are lost in 7 ms, every one of them at these ports, before any daqring. Requests that are spread
(credits, or a supervisor that assigns events one by one), larger buffers at leaves, or daqrings there too would avoid it.

The limits of 13 daqrings at a spine whose DCMs are in one pod add up to 13 Gbps for a port of 10 Gbps, as three quarters of an
event pass the spine but the limit is that of a whole event. It carries 9.75 Gbps on average; 251 packets waited there at most.

These are what the compiled rules say, not faults of the model. In figure 6.4's fabric, whole, they have 2240 daqrings that
packets pass: two for each DCM, at its leaf and its spine. After the loss of leaf p1l1 there are 2660: the 420 DCMs of the other three
pods whose plane is the first have another one at their leaf in the second, by which the ROS of the pod without a leaf send. A DCM has
one limit, the same at every switch.

After the loss of a leaf the DCMs of a spine get more than their part: a quarter of their ROS reaches them by another
plane, whose leaf has a daqring of its own for each, with the whole limit. So a DCM may receive more than its limit, up to that of
the two daqrings together. The uplinks of racks, which bound the bandwidth then, have to carry this; the slice leaves out the
other DCMs of the racks, so goodput above 100 % is not what the whole fabric would reach.
""",
}
