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

#include <config.h>

#include "netdev-daqring-history.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "openvswitch/dynamic-string.h"
#include "smap.h"
#include "timeval.h"
#include "util.h"

/* Drops belong to one episode if less than this many milliseconds pass
 * between them. */
#define DAQRING_PAUSE 1000

/* The milliseconds from the last drop of the episode that is held back on in
 * which no later one replaces it. */
#define DAQRING_HOLD 60000

BUILD_ASSERT_DECL(IS_POW2(DAQRING_RECORDED));
BUILD_ASSERT_DECL(DAQRING_BEFORE + DAQRING_AFTER < DAQRING_RECORDED);

/* Begins at time 'now', in microseconds, with 'record', which is all zeros.
 * Before that only functions that read may be called. */
void
daqring_history_start(struct daqring_history *history,
                      struct daqring_record *record, long long int now)
{
    history->record = record;
    history->newest = now / 1000;
}

/* Continues 'history' up to the millisecond 'until'. */
static void
daqring_history_continue(struct daqring_history *history, long long int until)
{
    if (until > history->newest) {
        uint32_t *msecs = history->record->msecs;

        msecs[history->newest & (DAQRING_RECORDED - 1)] = history->peak;
        for (long long int ms = MAX(history->newest + 1,
                                    until - DAQRING_RECORDED + 1);
             ms <= until; ms++) {
            msecs[ms & (DAQRING_RECORDED - 1)] = history->rest;
        }
        history->newest = until;
        history->peak = history->rest;
    }
}

/* Stores the last 'n' milliseconds of 'history' into 'occupancy', oldest
 * first. */
static void
daqring_history_copy_msecs(const struct daqring_history *history,
                           uint32_t occupancy[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        occupancy[i] = history->record->msecs[(history->newest - n + 1 + i)
                                              & (DAQRING_RECORDED - 1)];
    }
    occupancy[n - 1] = history->peak;
}

/* Begins the millisecond 'ms', which is later than 'newest', and completes the
 * episode that is held back if it ends before that. */
void
daqring_history_begin_msec(struct daqring_history *history, long long int ms)
{
    if (OVS_UNLIKELY(history->holds)) {
        struct daqring_episode *held = &history->record->held;

        if (ms > held->first + DAQRING_AFTER) {
            daqring_history_continue(history, held->first + DAQRING_AFTER);
            daqring_history_copy_msecs(history, held->occupancy,
                                       ARRAY_SIZE(held->occupancy));
            held->complete = true;
            history->holds = false;
        }
    }
    daqring_history_continue(history, ms);
}

/* Records 'n_dropped' packets for which the ring, which holds 'n', had no
 * room at time 'now', in microseconds.
 *
 * The first episode of drops is held back: later ones are only counted until
 * DAQRING_HOLD milliseconds have passed without a drop of this one. */
void
daqring_history_drop(struct daqring_history *history, uint32_t n,
                     uint64_t n_dropped, long long int now)
{
    struct daqring_record *record = history->record;
    struct daqring_episode *held = &record->held;
    long long int ms;

    daqring_history_put(history, n, now);
    ms = history->newest;
    if (!record->n_episodes || ms - record->last_drop >= DAQRING_PAUSE) {
        record->n_episodes++;
        if (!held->number || ms - held->last >= DAQRING_HOLD) {
            *held = (struct daqring_episode) {
                .number = record->n_episodes,
                .wall = time_wall_msec(),
                .first = ms,
            };
            history->holds = true;
        }
    }
    record->last_drop = ms;
    if (held->number == record->n_episodes) {
        held->last = ms;
        held->dropped += n_dropped;
    }
}

/* Returns true if the database does not have the episode that is held back:
 * once when its record is complete, and once more when it is over, if further
 * packets were dropped. */
bool
daqring_history_has_news(struct daqring_history *history)
{
    if (history->record) {
        struct daqring_episode *held = &history->record->held;

        if (held->complete && held->dropped != held->told
            && (!held->told
                || history->newest - held->last >= DAQRING_PAUSE)) {
            held->told = held->dropped;
            return true;
        }
    }
    return false;
}

/* Forgets the episode that is held back; the next drop begins another one.
 * Returns false if there was none. */
bool
daqring_history_reset(struct daqring_history *history)
{
    struct daqring_record *record = history->record;

    if (!record) {
        return false;
    }
    record->last_drop = LLONG_MIN / 2;
    if (!record->held.number) {
        return false;
    }
    record->held.number = 0;
    record->held.complete = false;
    history->holds = false;
    return true;
}

uint64_t
daqring_history_n_episodes(const struct daqring_history *history)
{
    return history->record ? history->record->n_episodes : 0;
}

/* Stores what 'history' has recorded into 'copy', its milliseconds oldest
 * first, so that it can be read while packets pass.  Returns false if that is
 * nothing. */
bool
daqring_history_copy(const struct daqring_history *history,
                     struct daqring_record *copy)
{
    if (!history->record) {
        return false;
    }
    copy->n_episodes = history->record->n_episodes;
    copy->last_drop = history->record->last_drop;
    copy->held = history->record->held;
    daqring_history_copy_msecs(history, copy->msecs, DAQRING_RECORDED);
    return true;
}

/* Appends 'n' values to 's'; "7*3" stands for "7 7 7". */
static void
daqring_put_occupancy(struct ds *s, const uint32_t occupancy[], size_t n)
{
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && occupancy[next] == occupancy[i];) {
            next++;
        }
        ds_put_format(s, "%s%"PRIu32, i ? " " : "", occupancy[i]);
        if (next > i + 1) {
            ds_put_format(s, "*%"PRIuSIZE, next - i);
        }
    }
}

/* Adds the episode of drops that 'record', a copy, holds back to 'status', the
 * column of the database. */
void
daqring_record_get_status(const struct daqring_record *record,
                          struct smap *status)
{
    const struct daqring_episode *held = &record->held;
    struct ds occupancy = DS_EMPTY_INITIALIZER;
    uint32_t peak = 0;

    if (!held->complete) {
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(held->occupancy); i++) {
        peak = MAX(peak, held->occupancy[i]);
    }
    daqring_put_occupancy(&occupancy, held->occupancy,
                          ARRAY_SIZE(held->occupancy));
    smap_add_format(status, "drop_episode", "%"PRIu64, held->number);
    smap_add_format(status, "drop_time", "%lld", held->wall);
    smap_add_format(status, "drop_duration", "%lld",
                    held->last - held->first);
    smap_add_format(status, "drop_packets", "%"PRIu64, held->dropped);
    smap_add_format(status, "drop_peak", "%"PRIu32, peak);
    smap_add_format(status, "drop_before", "%d", DAQRING_BEFORE);
    smap_add_nocopy(status, xstrdup("drop_occupancy"),
                    ds_steal_cstr(&occupancy));
}

/* Appends to 's' a line for each 50 milliseconds with a packet; 'origin' is
 * the index of the millisecond that is 0. */
static void
daqring_put_lines(struct ds *s, const uint32_t occupancy[], size_t n,
                  size_t origin)
{
    for (size_t i = 0; i < n; i += 50) {
        size_t n_line = MIN(50, n - i);
        bool empty = true;

        for (size_t j = i; j < i + n_line; j++) {
            empty = empty && !occupancy[j];
        }
        if (!empty) {
            ds_put_format(s, "    %+6lld: ",
                          (long long int) i - (long long int) origin);
            daqring_put_occupancy(s, occupancy + i, n_line);
            ds_put_char(s, '\n');
        }
    }
}

/* Appends 'record', a copy, to 's', for people. */
void
daqring_record_format(const struct daqring_record *record, struct ds *s)
{
    const struct daqring_episode *held = &record->held;

    ds_put_format(s, "  packets in each of the last %d milliseconds:\n",
                  DAQRING_RECORDED);
    daqring_put_lines(s, record->msecs, DAQRING_RECORDED,
                      DAQRING_RECORDED - 1);

    if (held->number) {
        char *began = xastrftime_msec("%Y-%m-%d %H:%M:%S.###", held->wall,
                                      true);

        ds_put_format(s, "  held back: episode %"PRIu64", %"PRIu64
                      " packets dropped within %lld ms from %s UTC on\n",
                      held->number, held->dropped, held->last - held->first,
                      began);
        free(began);
        if (held->complete) {
            ds_put_cstr(s, "  packets in each millisecond, 0 is the one of "
                        "the first drop:\n");
            daqring_put_lines(s, held->occupancy, ARRAY_SIZE(held->occupancy),
                              DAQRING_BEFORE);
        }
    }
}
