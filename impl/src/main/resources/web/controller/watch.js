/**
 * Keeps what the controller tells of a fabric up to date: read once, changed by its notifications as they come, read again
 * after them and every few seconds. When nobody answers it goes on trying, and catches up on what was missed.
 */
import { call, read } from './restconf.js';
import { openStream } from './stream.js';
import { withEvent } from '../fabric/model.js';
import * as history from '../fabric/history.js';

const EVERY = 5000;
const AGAIN = 2000;
const AFTER_EVENT = 250;
const CONFIG_EVERY = 6;
const STATE_FIELDS = 'phase;generation;switch;link;placement;spine;capacity;last-repair';
const RUN_FIELDS = 'partition(name;fabric;state;since;reason;run-type;health;required-bandwidth;achievable-bandwidth;'
  + 'nominal-bandwidth;concern;operation;run)';

/**
 * @param onChange called with {fabrics, name, config, state, runs, active, history, connection, error, since, read} when any changed;
 *   connection is connecting, live or lost, read the time of the last successful reading
 */
export function watch(wanted, onChange) {
  const now = {
    fabrics: [], name: wanted, config: null, state: {}, runs: [], active: null, history: history.EMPTY, connection: 'connecting',
    error: null, since: Date.now(), read: 0,
  };
  let closeStream = null;
  let timer = 0;
  let reading = null;
  let again = false;
  let rounds = 0;

  // by itself, so that what goes wrong in showing is not taken for a lost controller
  const tell = () => {
    const told = { ...now };
    queueMicrotask(() => onChange(told));
  };
  const become = (connection, error) => {
    if (now.connection !== connection) {
      now.connection = connection;
      now.since = Date.now();
    }
    now.error = error;
    tell();
  };
  const schedule = (millis) => {
    clearTimeout(timer);
    timer = setTimeout(refresh, millis);
  };

  function onEvent(kind, body) {
    now.history = history.withNotification(now.history, kind, body);
    if (body.fabric === now.name) {
      now.state = withEvent(now.state, kind, body);
    }
    tell();
    schedule(AFTER_EVENT);
  }

  /** One reading at a time; what is asked for meanwhile is one more. */
  async function refresh() {
    if (reading) {
      again = true;
      return reading;
    }
    clearTimeout(timer);
    reading = round();
    await reading;
    reading = null;
    const millis = now.connection === 'lost' ? AGAIN : EVERY;
    schedule(again ? AFTER_EVENT : Math.max(millis, now.took * 4));
    again = false;
    return null;
  }

  async function round() {
    const begun = Date.now();
    try {
      if (!closeStream) {
        closeStream = await openStream(onEvent, () => {
          closeStream = null;
          refresh();
        });
        await catchUp();
      } else if (now.history.gap) {
        await catchUp();
      }
      await readAll();
      now.read = Date.now();
      become('live', null);
    } catch (error) {
      become('lost', error.message);
    }
    now.took = Date.now() - begun;
  }

  async function catchUp() {
    const { epoch, sequence } = now.history;
    now.history = history.withMissed(now.history, await call('daqfabric-run-control:missed-events', epoch ? { epoch, sequence } : {}));
    rounds = 0;
  }

  async function readAll() {
    const whole = rounds % CONFIG_EVERY === 0 || !now.config;
    if (whole) {
      const names = await read('daqfabric:fabrics?content=config&fields=fabric(name)');
      now.fabrics = (names?.['daqfabric:fabrics'].fabric ?? []).map((each) => each.name).sort();
      now.name = now.fabrics.includes(now.name) ? now.name : now.fabrics[0];
    }
    const { name } = now;
    if (name === undefined) {
      Object.assign(now, { config: null, state: {}, runs: [] });
      return;
    }
    const path = `daqfabric:fabrics/fabric=${encodeURIComponent(name)}`;
    const [tree, runs, active] = await Promise.all([
      read(`${path}/state?content=nonconfig&fields=${STATE_FIELDS}`),
      read(`daqfabric-run-control:run-control?content=nonconfig&fields=${RUN_FIELDS}`),
      read('daqfabric-cluster:active?content=nonconfig&fields=member;address'),
    ]);
    const state = tree?.['daqfabric:state'] ?? {};
    const config = whole || state.generation !== now.state.generation
      ? (await read(`${path}?content=config`))?.['daqfabric:fabric'][0] ?? null : now.config;
    if (now.name !== name) {
      return;
    }
    rounds += 1;
    Object.assign(now, {
      config, state, active: active?.['daqfabric-cluster:active'] ?? null, runs: (runs?.['daqfabric-run-control:run-control'].partition ?? []).filter((each) => each.fabric === name),
      history: history.withLastRepair(now.history, name, state['last-repair']),
    });
  }

  window.addEventListener('online', () => schedule(0));
  window.addEventListener('offline', () => schedule(0));
  refresh();
  return {
    refresh: () => schedule(0),
    /** Another fabric. */
    choose(name) {
      Object.assign(now, { name, config: null, state: {}, runs: [] });
      rounds = 0;
      tell();
      schedule(0);
    },
  };
}
