/**
 * Keeps a copy of a fabric's configuration, state and runs up to date: reads it, applies notifications as they arrive, and
 * reads it again after them and every few seconds. Without an answer it keeps trying, and then fetches missed events.
 *
 * `restconf.js` and `stream.js` beside it are the requests and the event stream; nothing else talks to the controller.
 */
import { call, read } from './restconf.js';
import { openStream } from './stream.js';
import { withEvent } from '../fabric/model.js';
import { alarmsOf } from '../fabric/alarms.js';
import * as history from '../fabric/history.js';

const POLL_MILLIS = 5000;
const RETRY_MILLIS = 2000;
const AFTER_EVENT_MILLIS = 250;
const CONFIG_ROUNDS = 6;
const STATE_FIELDS = 'phase;generation;switch;link;port;placement;spine;capacity;last-repair;last-rebalanced;drop-episode';
/** What may not exist is read as a field of the root: read itself, its absence would be an error in the browser's console. */
const ALL_FIELDS = 'daqfabric-run-control:run-control(partition(name;fabric;state;since;reason;run-type;health;required-bandwidth;'
  + 'achievable-bandwidth;nominal-bandwidth;concern;operation;run));'
  + 'daqfabric-alarms:alarms(alarm(resource;alarm-type-id;is-cleared;last-raised;perceived-severity;alarm-text;advice;operator-state;'
  + 'shelved));daqfabric-cluster:active(member;address)';

/**
 * @param onChange called after any change with {fabrics, name, config, state, runs, alarms, active, history, connection,
 *   error, since, read, readAt};
 *   connection is connecting, live or lost; read is the time of the last successful read, readAt the same by a clock that
 *   nobody sets
 */
export function watch(wanted, onChange) {
  const current = {
    fabrics: [], name: wanted, config: null, state: {}, runs: [], alarms: [], active: null, history: history.EMPTY,
    connection: 'connecting',
    error: null, since: Date.now(), read: 0, readAt: 0,
  };
  let closeStream = null;
  let timer = 0;
  let reading = null;
  let requested = false;
  let rounds = 0;

  // in a task of its own, so that an error in rendering is not taken for a lost controller
  const notify = () => {
    const copy = { ...current };
    queueMicrotask(() => onChange(copy));
  };
  const setConnection = (connection, error) => {
    if (current.connection !== connection) {
      current.connection = connection;
      current.since = Date.now();
    }
    current.error = error;
    notify();
  };
  const schedule = (millis) => {
    clearTimeout(timer);
    timer = setTimeout(refresh, millis);
  };

  function onEvent(kind, body) {
    current.history = history.withNotification(current.history, kind, body);
    if (body.fabric === current.name) {
      current.state = withEvent(current.state, kind, body);
    }
    notify();
    schedule(AFTER_EVENT_MILLIS);
  }

  /** One read at a time; a request during a read causes one more. */
  async function refresh() {
    if (reading) {
      requested = true;
      return reading;
    }
    clearTimeout(timer);
    reading = readOnce();
    await reading;
    reading = null;
    const millis = current.connection === 'lost' ? RETRY_MILLIS : POLL_MILLIS;
    schedule(requested ? AFTER_EVENT_MILLIS : Math.max(millis, current.took * 4));
    requested = false;
    return null;
  }

  async function readOnce() {
    const begun = performance.now();
    try {
      await listen();
      await readAll();
      current.read = Date.now();
      current.readAt = performance.now();
      setConnection('live', null);
    } catch (error) {
      setConnection('lost', error.message);
    }
    current.took = performance.now() - begun;
  }

  /** A user who has too many streams is refused one more (409): then each read asks for what has happened. */
  async function listen() {
    if (!closeStream) {
      try {
        closeStream = await openStream(onEvent, () => {
          closeStream = null;
          refresh();
        });
        rounds = 0;
      } catch (error) {
        if (error.status !== 409) {
          throw error;
        }
      }
      await catchUp();
    } else if (current.history.gap) {
      await catchUp();
      rounds = 0;
    }
  }

  async function catchUp() {
    const { epoch, sequence } = current.history;
    current.history = history.withMissed(current.history, await call('daqfabric-run-control:missed-events', epoch ? { epoch, sequence } : {}));
  }

  async function readAll() {
    const withConfig = rounds % CONFIG_ROUNDS === 0 || !current.config;
    if (withConfig) {
      const names = await read('?content=config&fields=daqfabric:fabrics(fabric(name))');
      current.fabrics = (names['daqfabric:fabrics']?.fabric ?? []).map((each) => each.name).sort();
      current.name = current.fabrics.includes(current.name) ? current.name : current.fabrics[0];
    }
    const { name } = current;
    if (name === undefined) {
      Object.assign(current, { config: null, state: {}, runs: [], alarms: [] });
      return;
    }
    const path = `daqfabric:fabrics/fabric=${encodeURIComponent(name)}`;
    const [tree, all] = await Promise.all([
      read(`/${path}/state?content=nonconfig&fields=${STATE_FIELDS}`),
      read(`?content=nonconfig&fields=${ALL_FIELDS}`),
    ]);
    const state = tree?.['daqfabric:state'] ?? {};
    const config = withConfig || state.generation !== current.state.generation
      ? (await read(`/${path}?content=config`))?.['daqfabric:fabric'][0] ?? null : current.config;
    if (current.name !== name) {
      return;
    }
    rounds += 1;
    Object.assign(current, {
      config,
      state,
      active: all['daqfabric-cluster:active'] ?? null,
      runs: (all['daqfabric-run-control:run-control']?.partition ?? []).filter((each) => each.fabric === name),
      alarms: alarmsOf(all['daqfabric-alarms:alarms'], name),
      history: history.withLastRebalanced(history.withLastRepair(current.history, name, state['last-repair']), name, state['last-rebalanced']),
    });
  }

  window.addEventListener('online', () => schedule(0));
  window.addEventListener('offline', () => schedule(0));
  refresh();
  return {
    refresh: () => schedule(0),
    /** Changes to another fabric. */
    choose(name) {
      Object.assign(current, { name, config: null, state: {}, runs: [], alarms: [] });
      rounds = 0;
      notify();
      schedule(0);
    },
  };
}
