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

#ifndef NETDEV_DAQRING_HISTORY_H
#define NETDEV_DAQRING_HISTORY_H 1

/* How full a daqring was in each millisecond of the last seconds, held back
 * when it drops packets.
 *
 * Nothing here locks, or allocates memory while packets pass. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util.h"

struct ds;
struct smap;

/* The milliseconds that are recorded, a power of two. */
#define DAQRING_RECORDED 4096

/* Of an episode of drops that is held back: the milliseconds that are kept
 * before and after its first drop. */
#define DAQRING_BEFORE 300
#define DAQRING_AFTER 300

/* An episode of drops, held back. */
struct daqring_episode {
    uint64_t number;            /* Of the ring's episodes, from 1 on; 0 if none
                                 * is held back. */
    long long int wall;         /* When it began, milliseconds since 1970. */
    long long int first, last;  /* The millisecond of its first and last drop,
                                 * as time_msec() counts. */
    uint64_t dropped;           /* Packets. */
    uint64_t told;              /* 'dropped' when the database was last told
                                 * to ask for the ring's status. */
    bool complete;              /* Is 'occupancy' there? */
    uint32_t occupancy[DAQRING_BEFORE + 1 + DAQRING_AFTER];
};

/* What is not needed for each packet. */
struct daqring_record {
    uint32_t msecs[DAQRING_RECORDED];   /* The highest number of packets in
                                         * each millisecond, circular. */
    uint64_t n_episodes;
    long long int last_drop;            /* Its millisecond. */
    struct daqring_episode held;
};

struct daqring_history {
    uint32_t rest;              /* The lowest number of packets since
                                 * 'newest'. */
    uint32_t peak;              /* The highest in 'newest'. */
    long long int newest;       /* The millisecond recorded last. */
    struct daqring_record *record; /* Null before the first packet. */
    bool holds;                 /* Is there an episode to complete? */
};

void daqring_history_start(struct daqring_history *, struct daqring_record *,
                           long long int now);
void daqring_history_begin_msec(struct daqring_history *, long long int ms);
void daqring_history_drop(struct daqring_history *, uint32_t n,
                          uint64_t n_dropped, long long int now);
bool daqring_history_has_news(struct daqring_history *);
bool daqring_history_reset(struct daqring_history *);
uint64_t daqring_history_n_episodes(const struct daqring_history *);

bool daqring_history_copy(const struct daqring_history *,
                          struct daqring_record *);
void daqring_record_get_status(const struct daqring_record *, struct smap *);
void daqring_record_format(const struct daqring_record *, struct ds *);

/* Records that the ring holds 'n' packets at time 'now', in microseconds.
 *
 * This is called before packets leave, when the time is known anyway and the
 * ring is as full as it was since packets left last.  Whoever takes packets
 * out reports in 'rest' what it leaves: milliseconds without a call had at
 * least that.  So neither sending nor an empty ring costs anything. */
static inline void
daqring_history_put(struct daqring_history *history, uint32_t n,
                    long long int now)
{
    if (OVS_UNLIKELY(now / 1000 > history->newest)) {
        daqring_history_begin_msec(history, now / 1000);
    }
    history->peak = MAX(history->peak, n);
    history->rest = n;
}

#endif /* netdev-daqring-history.h */
