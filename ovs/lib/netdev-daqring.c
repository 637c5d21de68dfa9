/*
 * Copyright (c) 2026 The daqfabric authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at:
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

/* A daqring is a queue that OpenFlow rules can address: what is sent to it is
 * received from it again, in order, at a limited rate.
 *
 * In a data acquisition network hundreds of nodes send to one data collection
 * manager (DCM) at the same moment.  With one daqring per DCM, and the rules
 *
 *     ip,nw_dst=DCM actions=output:RING
 *     priority=HIGHER,in_port=RING actions=output:EGRESS
 *
 * each DCM has a buffer of its own, all get an equal share of the egress port,
 * and none gets more than its link can take. */

#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "dp-packet.h"
#include "netdev-daqring-history.h"
#include "netdev-provider.h"
#include "openvswitch/dynamic-string.h"
#include "openvswitch/poll-loop.h"
#include "openvswitch/shash.h"
#include "openvswitch/vlog.h"
#include "ovs-atomic.h"
#include "ovs-thread.h"
#include "packets.h"
#include "smap.h"
#include "timeval.h"
#include "unixctl.h"
#include "userspace-tso.h"
#include "util.h"

VLOG_DEFINE_THIS_MODULE(netdev_daqring);

/* The smallest array of packets that is allocated. */
#define DAQRING_MIN_ALLOCATED 64

/* Bytes that may leave at once after a pause where 'max-rate' limits: the
 * size of a usual request, so that it does not wait for its own packets. */
#define DAQRING_RATE_BURST 65536

enum daqring_option {
    DAQRING_RING_SIZE,
    DAQRING_MAX_BURST,
    DAQRING_POLLING_INTERVAL,
    DAQRING_CREDIT,
    DAQRING_ECN_THRESHOLD,
    DAQRING_MAX_RATE,
    DAQRING_N_OPTIONS
};

static const struct {
    const char *name;
    const char *unit;
    unsigned int min, max, def;
} daqring_options[DAQRING_N_OPTIONS] = {
    [DAQRING_RING_SIZE] = { "ring-size", "packets", 1, 1048576, 4096 },
    [DAQRING_MAX_BURST] = { "max-burst", "packets", 1, 65535, 32 },
    [DAQRING_POLLING_INTERVAL] = {
        "polling-interval", "microseconds", 0, 1000000, 0 },
    [DAQRING_CREDIT] = { "credit", "microseconds", 0, 1000000, 2000 },
    [DAQRING_ECN_THRESHOLD] = { "ecn-threshold", "packets", 0, 1048576, 0 },
    [DAQRING_MAX_RATE] = { "max-rate", "kbit/s", 0, 1000000000, 0 },
};

struct netdev_daqring {
    PADDED_MEMBERS(CACHE_LINE_SIZE,
        struct netdev up;
    );

    /* Any thread may send, one receives, the main thread configures.  While
     * one of them holds the lock nothing is allocated and no text is written:
     * others spin meanwhile.
     *
     * With a thousand daqrings in use, each packet finds its own outside of
     * the processor's first cache.  So what every packet needs is in the two
     * cache lines that begin here. */
    struct ovs_spin lock;
    unsigned int options[DAQRING_N_OPTIONS] OVS_GUARDED_BY(lock);

    /* The packets: a circular array, its size a power of two, which grows up
     * to what has been needed so far.  'ring-size' only bounds 'n', so that
     * a smaller one loses none of the packets that are queued. */
    uint32_t head OVS_GUARDED_BY(lock); /* Index of the oldest packet. */
    struct dp_packet **packets OVS_GUARDED_BY(lock);
    uint32_t n_allocated OVS_GUARDED_BY(lock);
    atomic_uint32_t n;          /* Queued packets.  Written with 'lock' held,
                                 * which reading does not need. */

    /* Statistics. */
    uint64_t enqueued OVS_GUARDED_BY(lock);
    uint64_t enqueued_bytes OVS_GUARDED_BY(lock);
    uint64_t dequeued OVS_GUARDED_BY(lock);
    uint64_t dequeued_bytes OVS_GUARDED_BY(lock);
    uint32_t max_n OVS_GUARDED_BY(lock);        /* The highest 'n' so far. */

    struct daqring_history history OVS_GUARDED_BY(lock);

    /* Pacing, see daqring_allowance(). */
    long long int due OVS_GUARDED_BY(lock);     /* When the next burst is
                                                 * allowed. */
    uint64_t allowance OVS_GUARDED_BY(lock);    /* What is left of the last. */
    bool drained OVS_GUARDED_BY(lock);  /* Emptied since the last burst. */

    /* Nanoseconds: when what has left would have left at 'max-rate' without a
     * pause, see daqring_rate_due(). */
    long long int paid OVS_GUARDED_BY(lock);

    uint64_t dropped OVS_GUARDED_BY(lock);
    uint64_t marked OVS_GUARDED_BY(lock);       /* With ECN's "congestion". */
    uint64_t throttled OVS_GUARDED_BY(lock);    /* Polls before 'due'. */

    struct eth_addr hwaddr OVS_GUARDED_BY(lock);
    enum netdev_flags flags OVS_GUARDED_BY(lock);
};

/* poll_block() knows milliseconds only, daqrings need less.  One timer serves
 * them all, because one thread waits for them all: the main thread.  (PMD
 * threads do not wait.)  Its file descriptor is never read: setting the timer
 * again, as everyone does who finds it expired, makes it unreadable. */
static int daqring_timer_fd = -1;
static struct ovs_mutex daqring_timer_mutex = OVS_MUTEX_INITIALIZER;
static long long int daqring_timer_due OVS_GUARDED_BY(daqring_timer_mutex);

static struct netdev_daqring *
netdev_daqring_cast(const struct netdev *netdev)
{
    return CONTAINER_OF(netdev, struct netdev_daqring, up);
}

static unixctl_cb_func daqring_unixctl_history;
static unixctl_cb_func daqring_unixctl_reset;

static int
netdev_daqring_init(void)
{
    unixctl_command_register("daqring/history", "[port]", 0, 1,
                             daqring_unixctl_history, NULL);
    unixctl_command_register("daqring/reset", "[port]", 0, 1,
                             daqring_unixctl_reset, NULL);
    daqring_timer_fd = timerfd_create(CLOCK_MONOTONIC,
                                      TFD_NONBLOCK | TFD_CLOEXEC);
    if (daqring_timer_fd < 0) {
        VLOG_ERR("no timer for daqrings (%s)", ovs_strerror(errno));
        return errno;
    }
    return 0;
}

/* Makes poll_block() return within 'due - now' microseconds. */
static void
daqring_timer_wait(long long int due, long long int now)
{
    ovs_mutex_lock(&daqring_timer_mutex);
    if (due < daqring_timer_due || daqring_timer_due <= now) {
        long long int delay = due - now;
        struct itimerspec spec = {
            .it_value.tv_sec = delay / 1000000,
            .it_value.tv_nsec = delay % 1000000 * 1000,
        };

        timerfd_settime(daqring_timer_fd, 0, &spec, NULL);
        daqring_timer_due = due;
    }
    ovs_mutex_unlock(&daqring_timer_mutex);

    poll_fd_wait(daqring_timer_fd, POLLIN);
}

static uint32_t
daqring_n(const struct netdev_daqring *ring)
{
    uint32_t n;

    atomic_read_relaxed(&CONST_CAST(struct netdev_daqring *, ring)->n, &n);
    return n;
}

/* Returns how many of 'n' packets 'ring-size' leaves room for. */
static size_t
daqring_room(const struct netdev_daqring *ring, size_t n)
    OVS_REQUIRES(ring->lock)
{
    size_t n_queued = daqring_n(ring);

    return MIN(n, MAX(ring->options[DAQRING_RING_SIZE], n_queued) - n_queued);
}

/* Moves what is queued in 'ring' to 'packets', an array for 'n_allocated'
 * packets, which are more than before.  Returns the old array. */
static struct dp_packet **
daqring_move(struct netdev_daqring *ring, struct dp_packet *packets[],
             size_t n_allocated)
    OVS_REQUIRES(ring->lock)
{
    struct dp_packet **old = ring->packets;
    size_t n_queued = daqring_n(ring);

    for (size_t i = 0; i < n_queued; i++) {
        packets[i] = old[(ring->head + i) & (ring->n_allocated - 1)];
    }
    ring->packets = packets;
    ring->n_allocated = n_allocated;
    ring->head = 0;
    return old;
}

/* Locks 'ring', with memory for as many of 'n' packets as it has room for. */
static void
daqring_lock_to_send(struct netdev_daqring *ring, size_t n)
    OVS_ACQUIRES(ring->lock)
{
    size_t needed;

    ovs_spin_lock(&ring->lock);
    while ((needed = daqring_n(ring) + daqring_room(ring, n))
           > ring->n_allocated) {
        size_t n_allocated = MAX(ROUND_UP_POW2(needed), DAQRING_MIN_ALLOCATED);
        struct daqring_record *record = NULL;
        bool is_first = !ring->n_allocated;
        struct dp_packet **packets;

        ovs_spin_unlock(&ring->lock);
        packets = xmalloc_cacheline(n_allocated * sizeof *packets);
        if (is_first) {
            record = xzalloc(sizeof *record);
        }
        ovs_spin_lock(&ring->lock);

        /* Another thread may have been faster. */
        if (n_allocated > ring->n_allocated) {
            packets = daqring_move(ring, packets, n_allocated);
        }
        if (record && !ring->history.record) {
            daqring_history_start(&ring->history, record, time_usec());
            record = NULL;
        }
        ovs_spin_unlock(&ring->lock);
        free_cacheline(packets);
        free(record);
        ovs_spin_lock(&ring->lock);
    }
}

/* Returns the number of packets that may leave 'ring' at time 'now'.
 *
 * A burst is allowed every 'polling-interval'.  Polls come late, by more than
 * an interval when the thread is busy; without correction the rate would drop
 * then.  So the next burst is due one interval after this one was *due*, not
 * after it was polled, which allows a late poll several bursts at once.  How
 * far back that goes is limited to 'credit', because everything downstream
 * must be able to buffer it. */
static uint64_t
daqring_allowance(struct netdev_daqring *ring, long long int now)
    OVS_REQUIRES(ring->lock)
{
    long long int interval = ring->options[DAQRING_POLLING_INTERVAL];
    long long int credit = ring->options[DAQRING_CREDIT];
    long long int burst = ring->options[DAQRING_MAX_BURST];

    if (!interval) {
        return burst;
    }

    if (ring->due <= now) {
        long long int n_bursts;

        ring->due = MAX(ring->due, now - credit);
        n_bursts = (now - ring->due) / interval + 1;
        ring->due += n_bursts * interval;
        /* Only a ring that is behind keeps what is left. */
        ring->allowance = MIN((ring->drained ? 0 : ring->allowance)
                              + n_bursts * burst,
                              (credit / interval + 1) * burst);
        ring->drained = false;
    }
    return ring->allowance;
}

/* Returns how many nanoseconds 'size' bytes take at 'max-rate', which is not
 * 0. */
static long long int
daqring_rate_time(const struct netdev_daqring *ring, uint32_t size)
    OVS_REQUIRES(ring->lock)
{
    return size * 8000000LL / ring->options[DAQRING_MAX_RATE];
}

/* Returns when, in nanoseconds, 'max-rate' lets the next packet leave 'ring'.
 *
 * Bytes that leave move 'paid' on by the time that they take at that rate.
 * Packets may leave while it is ahead of the present by no more than a burst
 * of DAQRING_RATE_BURST bytes takes: so many leave at once after a pause, and
 * in the long run no more than the rate. */
static long long int
daqring_rate_due(const struct netdev_daqring *ring)
    OVS_REQUIRES(ring->lock)
{
    return (ring->options[DAQRING_MAX_RATE]
            ? ring->paid - daqring_rate_time(ring, DAQRING_RATE_BURST) : 0);
}

/* Notes that 'size' bytes leave 'ring' at time 'now', in microseconds. */
static void
daqring_rate_pay(struct netdev_daqring *ring, uint32_t size,
                 long long int now)
    OVS_REQUIRES(ring->lock)
{
    if (ring->options[DAQRING_MAX_RATE]) {
        ring->paid = (MAX(ring->paid, now * 1000)
                      + daqring_rate_time(ring, size));
    }
}

/* Called when a packet arrives in an empty 'ring': idle time gives no
 * credit. */
static void
daqring_start(struct netdev_daqring *ring)
    OVS_REQUIRES(ring->lock)
{
    if (ring->options[DAQRING_POLLING_INTERVAL]) {
        long long int now = time_usec();

        if (ring->due < now) {
            ring->due = now;
            ring->allowance = 0;
        }
    }
}

/* Brings 'ring''s history up to date, for someone who reads it. */
static void
daqring_record_now(struct netdev_daqring *ring)
    OVS_REQUIRES(ring->lock)
{
    if (ring->history.record) {
        daqring_history_put(&ring->history, daqring_n(ring), time_usec());
    }
}

static struct netdev *
netdev_daqring_alloc(void)
{
    struct netdev_daqring *ring = xzalloc_cacheline(sizeof *ring);

    return &ring->up;
}

static int
netdev_daqring_construct(struct netdev *netdev)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);

    /* See netdev_prefetch_queue(). */
    BUILD_ASSERT_DECL(offsetof(struct netdev_daqring, lock)
                      == ROUND_UP(sizeof ring->up, CACHE_LINE_SIZE));

    if (userspace_tso_enabled()) {
        netdev->ol_flags |= NETDEV_TX_OFFLOAD_TCP_TSO
                            | NETDEV_TX_OFFLOAD_TCP_CKSUM
                            | NETDEV_TX_OFFLOAD_UDP_CKSUM
                            | NETDEV_TX_OFFLOAD_SCTP_CKSUM
                            | NETDEV_TX_OFFLOAD_IPV4_CKSUM;
    }
    ovs_spin_init(&ring->lock);
    ovs_spin_lock(&ring->lock);
    eth_addr_random(&ring->hwaddr);
    ring->flags = NETDEV_UP;
    for (int i = 0; i < DAQRING_N_OPTIONS; i++) {
        ring->options[i] = daqring_options[i].def;
    }
    atomic_init(&ring->n, 0);
    ovs_spin_unlock(&ring->lock);

    return 0;
}

static void
netdev_daqring_destruct(struct netdev *netdev)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);
    size_t n = daqring_n(ring);

    ovs_spin_lock(&ring->lock);
    for (size_t i = 0; i < n; i++) {
        dp_packet_delete(ring->packets[(ring->head + i)
                                       & (ring->n_allocated - 1)]);
    }
    free_cacheline(ring->packets);
    free(ring->history.record);
    ovs_spin_unlock(&ring->lock);
    ovs_spin_destroy(&ring->lock);
}

static void
netdev_daqring_dealloc(struct netdev *netdev)
{
    free_cacheline(netdev_daqring_cast(netdev));
}

static int
netdev_daqring_get_config(const struct netdev *netdev, struct smap *args)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);
    unsigned int options[DAQRING_N_OPTIONS];

    ovs_spin_lock(&ring->lock);
    memcpy(options, ring->options, sizeof options);
    ovs_spin_unlock(&ring->lock);

    for (int i = 0; i < DAQRING_N_OPTIONS; i++) {
        smap_add_format(args, daqring_options[i].name, "%u", options[i]);
    }

    return 0;
}

/* Parses 'args' into 'options'.  On failure returns EINVAL and stores what is
 * wrong into '*errp'. */
static int
daqring_parse_options(const struct netdev *netdev, const struct smap *args,
                      unsigned int options[DAQRING_N_OPTIONS], char **errp)
{
    const struct smap_node *node;

    for (int i = 0; i < DAQRING_N_OPTIONS; i++) {
        options[i] = daqring_options[i].def;
    }

    SMAP_FOR_EACH (node, args) {
        long long int value;
        int i;

        for (i = 0; i < DAQRING_N_OPTIONS; i++) {
            if (!strcmp(node->key, daqring_options[i].name)) {
                break;
            }
        }
        if (i == DAQRING_N_OPTIONS) {
            VLOG_ERR_BUF(errp, "%s: a daqring has no option \"%s\", only "
                         "ring-size, max-burst, polling-interval, credit, "
                         "ecn-threshold and max-rate",
                         netdev_get_name(netdev), node->key);
            return EINVAL;
        }
        if (!str_to_llong(node->value, 10, &value)
            || value < daqring_options[i].min
            || value > daqring_options[i].max) {
            VLOG_ERR_BUF(errp, "%s: %s must be %u to %u %s, not \"%s\"",
                         netdev_get_name(netdev), node->key,
                         daqring_options[i].min, daqring_options[i].max,
                         daqring_options[i].unit, node->value);
            return EINVAL;
        }
        options[i] = value;
    }
    return 0;
}

static int
netdev_daqring_set_config(struct netdev *netdev, const struct smap *args,
                          char **errp)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);
    unsigned int options[DAQRING_N_OPTIONS];
    int error;

    error = daqring_parse_options(netdev, args, options, errp);
    if (error) {
        return error;
    }

    ovs_spin_lock(&ring->lock);
    /* Bursts due under the old options are forfeited, and the next burst is
     * due no later than the new options say. */
    if (memcmp(options, ring->options, sizeof options)) {
        long long int now = time_usec();

        ring->due = MIN(MAX(ring->due, now),
                        now + options[DAQRING_POLLING_INTERVAL]);
        ring->allowance = 0;
        ring->paid = MIN(ring->paid, now * 1000);
    }
    memcpy(ring->options, options, sizeof ring->options);
    ovs_spin_unlock(&ring->lock);

    return 0;
}

/* A daqring is memory of the process, not of a node. */
static int
netdev_daqring_get_numa_id(const struct netdev *netdev OVS_UNUSED)
{
    return 0;
}

/* Any number of threads may send to a daqring, each on a queue of its own as
 * far as the datapath is concerned. */
static int
netdev_daqring_set_tx_multiq(struct netdev *netdev, unsigned int n_txq)
{
    netdev->n_txq = n_txq;
    return 0;
}

/* Tells the receiver of 'packet' that its path is congested (RFC 3168), if
 * sender and receiver know ECN.  Returns true if the packet has changed. */
static bool
daqring_mark(struct dp_packet *packet)
{
    const ovs_be16 *l3 = dp_packet_l3(packet);
    ovs_be16 type;
    uint8_t ecn;
    bool is_ipv6;

    if (!l3 || dp_packet_l3_size(packet) < IP_HEADER_LEN) {
        return false;
    }
    /* The EtherType that belongs to layer 3, whatever tags come before it. */
    type = *(l3 - 1);
    if (type == htons(ETH_TYPE_IP)) {
        is_ipv6 = false;
        ecn = ((const struct ip_header *) l3)->ip_tos & IP_ECN_MASK;
    } else if (type == htons(ETH_TYPE_IPV6)) {
        is_ipv6 = true;
        ecn = ntohs(*l3) >> 4 & IP_ECN_MASK;
    } else {
        return false;
    }
    if (ecn != IP_ECN_ECT_0 && ecn != IP_ECN_ECT_1) {
        return false;
    }
    IP_ECN_set_ce(packet, is_ipv6);
    return true;
}

static int
netdev_daqring_send(struct netdev *netdev, int qid OVS_UNUSED,
                    struct dp_packet_batch *batch,
                    bool concurrent_txq OVS_UNUSED)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);
    size_t n_sent = dp_packet_batch_size(batch);
    struct dp_packet *packet;
    size_t n, n_queued;

    /* Nothing is fetched across the lock by itself. */
    OVS_PREFETCH_WRITE(&ring->lock);
    OVS_PREFETCH_WRITE(&ring->enqueued);

    DP_PACKET_BATCH_FOR_EACH (i, packet, batch) {
        /* Queueing its buffers would starve an AF_XDP port of frames, and
         * buffers on the stack do not outlive this call. */
        if (packet->source != DPBUF_MALLOC && packet->source != DPBUF_DPDK) {
            batch->packets[i] = dp_packet_clone(packet);
            dp_packet_delete(packet);
        }
        /* The receiving side extracts flows from packets anew.  What the
         * port that sends them at last has to do (checksums, segments) they
         * keep. */
        *dp_packet_ol_flags_ptr(batch->packets[i])
            &= ~(DP_PACKET_OL_RSS_HASH | DP_PACKET_OL_FLOW_MARK);
    }

    daqring_lock_to_send(ring, n_sent);
    n_queued = daqring_n(ring);
    n = daqring_room(ring, n_sent);
    if (n) {
        if (!n_queued) {
            daqring_start(ring);
        }
        for (size_t i = 0; i < n; i++) {
            packet = batch->packets[i];
            ring->packets[(ring->head + n_queued + i)
                          & (ring->n_allocated - 1)] = packet;
            if (ring->options[DAQRING_ECN_THRESHOLD]
                && n_queued + i >= ring->options[DAQRING_ECN_THRESHOLD]) {
                ring->marked += daqring_mark(packet);
            }
            ring->enqueued_bytes += dp_packet_size(packet);
        }
        ring->enqueued += n;
        ring->max_n = MAX(ring->max_n, n_queued + n);
        atomic_store_relaxed(&ring->n, n_queued + n);
    }
    if (n < n_sent) {
        daqring_history_drop(&ring->history, n_queued + n, n_sent - n,
                             time_usec());
        ring->dropped += n_sent - n;
    }
    ovs_spin_unlock(&ring->lock);

    for (size_t i = n; i < n_sent; i++) {
        dp_packet_delete(batch->packets[i]);
    }
    return n < n_sent ? EAGAIN : 0;
}

static int
netdev_daqring_set_etheraddr(struct netdev *netdev, const struct eth_addr mac)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);

    ovs_spin_lock(&ring->lock);
    ring->hwaddr = mac;
    ovs_spin_unlock(&ring->lock);
    netdev_change_seq_changed(netdev);

    return 0;
}

static int
netdev_daqring_get_etheraddr(const struct netdev *netdev,
                             struct eth_addr *mac)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);

    ovs_spin_lock(&ring->lock);
    *mac = ring->hwaddr;
    ovs_spin_unlock(&ring->lock);

    return 0;
}

static int
netdev_daqring_get_stats(const struct netdev *netdev,
                         struct netdev_stats *stats)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);

    ovs_spin_lock(&ring->lock);
    stats->tx_packets = ring->enqueued;
    stats->tx_bytes = ring->enqueued_bytes;
    stats->tx_dropped = ring->dropped;
    stats->rx_packets = ring->dequeued;
    stats->rx_bytes = ring->dequeued_bytes;
    ovs_spin_unlock(&ring->lock);

    return 0;
}

static int
netdev_daqring_get_custom_stats(const struct netdev *netdev,
                                struct netdev_custom_stats *stats)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);
    bool has_news;

    ovs_spin_lock(&ring->lock);
    daqring_record_now(ring);
    has_news = daqring_history_has_news(&ring->history);
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {
        { "ring_enqueued", ring->enqueued },
        { "ring_dequeued", ring->dequeued },
        { "ring_dropped", ring->dropped },
        { "ring_marked", ring->marked },
        { "ring_occupancy", daqring_n(ring) },
        { "ring_max_occupancy", ring->max_n },
        { "ring_throttled_polls", ring->throttled },
        { "ring_drop_episodes",
          daqring_history_n_episodes(&ring->history) },
    };
    ovs_spin_unlock(&ring->lock);

    /* Someone asks for statistics every few seconds, also of a ring that
     * nobody sends to any more: often enough for the database to learn of an
     * episode, and not so often that it is flooded. */
    if (has_news) {
        netdev_change_seq_changed(netdev);
    }

    stats->size = ARRAY_SIZE(counters);
    stats->counters = xcalloc(stats->size, sizeof *stats->counters);
    for (size_t i = 0; i < stats->size; i++) {
        ovs_strlcpy(stats->counters[i].name, counters[i].name,
                    NETDEV_CUSTOM_STATS_NAME_SIZE);
        stats->counters[i].value = counters[i].value;
    }
    return 0;
}

/* The episode of drops that is held back.  The database writes this only when
 * it is told to, see netdev_daqring_get_custom_stats(). */
static int
netdev_daqring_get_status(const struct netdev *netdev, struct smap *status)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);
    struct daqring_record *record = xmalloc(sizeof *record);
    bool is_used;

    ovs_spin_lock(&ring->lock);
    daqring_record_now(ring);
    is_used = daqring_history_copy(&ring->history, record);
    ovs_spin_unlock(&ring->lock);

    if (is_used) {
        daqring_record_get_status(record, status);
    }
    free(record);
    return 0;
}

/* Calls 'cb' with the daqring that 'argv' names, or with each of them, and
 * replies with what it appended to 's'. */
static void
daqring_unixctl_each(struct unixctl_conn *conn, int argc, const char *argv[],
                     void (*cb)(struct ds *s, struct netdev_daqring *))
{
    struct ds s = DS_EMPTY_INITIALIZER;
    struct shash rings = SHASH_INITIALIZER(&rings);
    const struct shash_node **sorted;
    size_t n = 0;

    netdev_get_devices(&netdev_daqring_class, &rings);
    sorted = shash_sort(&rings);
    for (size_t i = 0; i < shash_count(&rings); i++) {
        struct netdev *netdev = sorted[i]->data;

        if (argc < 2 || !strcmp(argv[1], netdev_get_name(netdev))) {
            cb(&s, netdev_daqring_cast(netdev));
            n++;
        }
        netdev_close(netdev);
    }
    free(sorted);
    shash_destroy(&rings);

    if (argc > 1 && !n) {
        ds_put_format(&s, "%s: no daqring has this name", argv[1]);
        unixctl_command_reply_error(conn, ds_cstr(&s));
    } else {
        unixctl_command_reply(conn, ds_cstr(&s));
    }
    ds_destroy(&s);
}

static void
daqring_history(struct ds *s, struct netdev_daqring *ring)
{
    struct daqring_record *record = xmalloc(sizeof *record);
    uint64_t dropped, n_episodes;
    uint32_t n, max_n, size;
    bool is_used;

    ovs_spin_lock(&ring->lock);
    daqring_record_now(ring);
    is_used = daqring_history_copy(&ring->history, record);
    n_episodes = daqring_history_n_episodes(&ring->history);
    n = daqring_n(ring);
    max_n = ring->max_n;
    size = ring->options[DAQRING_RING_SIZE];
    dropped = ring->dropped;
    ovs_spin_unlock(&ring->lock);

    ds_put_format(s, "%s: %"PRIu32" of %"PRIu32" packets now, at most %"PRIu32
                  " so far, %"PRIu64" dropped in %"PRIu64" episodes\n",
                  netdev_get_name(&ring->up), n, size, max_n, dropped,
                  n_episodes);
    if (is_used) {
        daqring_record_format(record, s);
    }
    free(record);
}

static void
daqring_unixctl_history(struct unixctl_conn *conn, int argc,
                        const char *argv[], void *aux OVS_UNUSED)
{
    daqring_unixctl_each(conn, argc, argv, daqring_history);
}

static void
daqring_reset(struct ds *s OVS_UNUSED, struct netdev_daqring *ring)
{
    bool had_held;

    ovs_spin_lock(&ring->lock);
    had_held = daqring_history_reset(&ring->history);
    ovs_spin_unlock(&ring->lock);

    if (had_held) {
        netdev_change_seq_changed(&ring->up);
    }
}

static void
daqring_unixctl_reset(struct unixctl_conn *conn, int argc, const char *argv[],
                      void *aux OVS_UNUSED)
{
    daqring_unixctl_each(conn, argc, argv, daqring_reset);
}

static int
netdev_daqring_update_flags(struct netdev *netdev, enum netdev_flags off,
                            enum netdev_flags on,
                            enum netdev_flags *old_flagsp)
{
    struct netdev_daqring *ring = netdev_daqring_cast(netdev);
    enum netdev_flags flags;

    if ((off | on) & ~(NETDEV_UP | NETDEV_PROMISC)) {
        return EINVAL;
    }

    ovs_spin_lock(&ring->lock);
    *old_flagsp = ring->flags;
    flags = (ring->flags | on) & ~off;
    ring->flags = flags;
    ovs_spin_unlock(&ring->lock);

    if (*old_flagsp != flags) {
        netdev_change_seq_changed(netdev);
    }
    return 0;
}

static struct netdev_rxq *
netdev_daqring_rxq_alloc(void)
{
    return xzalloc(sizeof(struct netdev_rxq));
}

static int
netdev_daqring_rxq_construct(struct netdev_rxq *rxq OVS_UNUSED)
{
    return 0;
}

static void
netdev_daqring_rxq_destruct(struct netdev_rxq *rxq OVS_UNUSED)
{
}

static void
netdev_daqring_rxq_dealloc(struct netdev_rxq *rxq)
{
    free(rxq);
}

static int
netdev_daqring_rxq_recv_at(struct netdev_rxq *rxq,
                           struct dp_packet_batch *batch, long long int now)
{
    struct netdev_daqring *ring = netdev_daqring_cast(rxq->netdev);
    size_t n, n_queued;

    ovs_spin_lock(&ring->lock);
    n_queued = daqring_n(ring);
    n = MIN(n_queued, NETDEV_MAX_BURST);
    if (n) {
        daqring_history_put(&ring->history, n_queued, now);
        n = MIN(n, daqring_allowance(ring, now));
        if (daqring_rate_due(ring) > now * 1000) {
            n = 0;
        }
        if (!n) {
            ring->throttled++;
        }
    }
    if (!n) {
        ovs_spin_unlock(&ring->lock);
        return EAGAIN;
    }

    /* Who sends a batch judges all of it by the source of its first packet. */
    for (size_t i = 0; i < n; i++) {
        batch->packets[i] = ring->packets[ring->head];
        if (batch->packets[i]->source != batch->packets[0]->source
            || daqring_rate_due(ring) > now * 1000) {
            n = i;
            break;
        }
        ring->head = (ring->head + 1) & (ring->n_allocated - 1);
        ring->dequeued_bytes += dp_packet_size(batch->packets[i]);
        daqring_rate_pay(ring, dp_packet_size(batch->packets[i]), now);
    }
    if (ring->options[DAQRING_POLLING_INTERVAL]) {
        ring->allowance -= n;
        ring->drained = ring->drained || n == n_queued;
    }
    ring->dequeued += n;
    ring->history.rest = n_queued - n;
    if (n == n_queued) {
        /* A ring that is short most of the time stays at the beginning of its
         * array: fewer cache lines. */
        ring->head = 0;
    }
    atomic_store_relaxed(&ring->n, n_queued - n);
    ovs_spin_unlock(&ring->lock);

    batch->count = n;
    return 0;
}

static int
netdev_daqring_rxq_recv(struct netdev_rxq *rxq, struct dp_packet_batch *batch,
                        int *qfill)
{
    int error = netdev_daqring_rxq_recv_at(rxq, batch, time_usec());

    if (qfill) {
        *qfill = daqring_n(netdev_daqring_cast(rxq->netdev));
    }
    return error;
}

static bool
netdev_daqring_rxq_pending(const struct netdev_rxq *rxq)
{
    return daqring_n(netdev_daqring_cast(rxq->netdev)) > 0;
}

static void
netdev_daqring_rxq_wait(struct netdev_rxq *rxq)
{
    struct netdev_daqring *ring = netdev_daqring_cast(rxq->netdev);
    long long int now, due;

    if (!daqring_n(ring)) {
        return;
    }
    now = time_usec();
    ovs_spin_lock(&ring->lock);
    due = DIV_ROUND_UP(MAX(daqring_rate_due(ring), 0), 1000);
    if (!daqring_allowance(ring, now)) {
        due = MAX(due, ring->due);
    }
    ovs_spin_unlock(&ring->lock);

    if (due <= now) {
        poll_immediate_wake();
    } else {
        daqring_timer_wait(due, now);
    }
}

const struct netdev_class netdev_daqring_class = {
    .type = "daqring",
    .init = netdev_daqring_init,
    .alloc = netdev_daqring_alloc,
    .construct = netdev_daqring_construct,
    .destruct = netdev_daqring_destruct,
    .dealloc = netdev_daqring_dealloc,
    .get_config = netdev_daqring_get_config,
    .set_config = netdev_daqring_set_config,
    .get_numa_id = netdev_daqring_get_numa_id,
    .set_tx_multiq = netdev_daqring_set_tx_multiq,
    .send = netdev_daqring_send,
    .set_etheraddr = netdev_daqring_set_etheraddr,
    .get_etheraddr = netdev_daqring_get_etheraddr,
    .get_stats = netdev_daqring_get_stats,
    .get_custom_stats = netdev_daqring_get_custom_stats,
    .get_status = netdev_daqring_get_status,
    .update_flags = netdev_daqring_update_flags,
    .rxq_alloc = netdev_daqring_rxq_alloc,
    .rxq_construct = netdev_daqring_rxq_construct,
    .rxq_destruct = netdev_daqring_rxq_destruct,
    .rxq_dealloc = netdev_daqring_rxq_dealloc,
    .rxq_recv = netdev_daqring_rxq_recv,
    .rxq_recv_at = netdev_daqring_rxq_recv_at,
    .rxq_pending = netdev_daqring_rxq_pending,
    .rxq_wait = netdev_daqring_rxq_wait,
};
