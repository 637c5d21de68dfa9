/**
 * The model of a fabric: its configuration and state joined, with switches, links and DCMs by name. Everything on the page
 * is made from it. `load.js` and `history.js` beside it add the load of links and the events, `drops.js` the daqrings that
 * dropped packets, `ledger.js` where packets were lost; `words.js` puts states and numbers in words. All of this folder is
 * pure: no DOM, no requests.
 */

import { dropsOf } from './drops.js';
import { lossRate } from './words.js';

const RANK = { spine: 2, leaf: 1, ros: 0, 'hlt-rack': 0, builder: 0, hosts: 0 };

/**
 * @param config the entry of list fabric, as RESTCONF returns it
 * @param state the container state; an empty object if there is none yet
 */
export function buildModel(config, state) {
  const model = {
    name: config.name,
    phase: state.phase ?? 'unknown',
    capacity: state.capacity ?? {},
    planes: [],
    pods: [],
    switches: new Map(),
    links: new Map(),
    ros: new Map(),
    dcms: new Map(),
    ports: new Map(),
    spares: [],
    drops: dropsOf(state),
  };
  for (const each of entriesOf(config, 'switch')) {
    model.switches.set(each.name, { name: each.name, role: 'spare', links: [], dcms: [] });
  }
  addPods(model, config);
  addPlanes(model, config, state);
  addSwitchStates(model, config, state);
  addLinks(model, config, state);
  addPorts(model, state);
  addPlacements(model, state);
  model.spares = [...model.switches.values()].filter((each) => each.role === 'spare').map((each) => each.name);
  return model;
}

function addPods(model, config) {
  for (const pod of sorted(entriesOf(config, 'pod'), 'id')) {
    const entry = { id: pod.id, ros: [], racks: [] };
    for (const ros of sorted(entriesOf(pod, 'ros'), 'name')) {
      assignRole(model, ros.switch, { role: 'ros', pod: pod.id, host: ros.name });
      entry.ros.push(ros.switch);
      model.ros.set(ros.name, {
        name: ros.name, address: ros.address, switch: ros.switch, pod: pod.id, weight: toNumber(ros['fragment-weight'], 1),
      });
    }
    for (const rack of sorted(entriesOf(pod, 'hlt-rack'), 'name')) {
      const both = entry.ros.includes(rack.switch);
      const node = assignRole(model, rack.switch, { role: both ? 'builder' : 'hlt-rack', pod: pod.id, host: rack.name });
      entry.racks.push(rack.switch);
      if (both) { // drawn once, among the racks
        entry.ros = entry.ros.filter((name) => name !== rack.switch);
      }
      for (const dcm of sorted(entriesOf(rack, 'dcm'), 'name')) {
        node.dcms.push(dcm.name);
        model.dcms.set(dcm.name, {
          name: dcm.name, address: dcm.address, switch: rack.switch, pod: pod.id, weight: toNumber(dcm.weight, 1),
        });
      }
    }
    for (const host of sorted(entriesOf(pod, 'host'), 'name')) {
      if (model.switches.get(host.switch)?.role === 'spare') { // drawn as a rack is
        assignRole(model, host.switch, { role: 'hosts', pod: pod.id });
        entry.racks.push(host.switch);
      }
    }
    model.pods.push(entry);
  }
}

function addPlanes(model, config, state) {
  const loads = new Map(entriesOf(state, 'spine').map((each) => [`${each.plane} ${each.spine}`, each]));
  for (const plane of sorted(entriesOf(config, 'plane'), 'id')) {
    const entry = { id: plane.id, spines: [], leaves: new Map() };
    for (const spine of sorted(entriesOf(plane, 'spine'), 'id')) {
      const load = loads.get(`${plane.id} ${spine.id}`) ?? {};
      assignRole(model, spine.switch, {
        role: 'spine', plane: plane.id, spine: spine.id, level: toNumber(load.dcms, 0), load: toNumber(load.load, 0),
      });
      entry.spines.push(spine.switch);
    }
    for (const leaf of entriesOf(plane, 'leaf')) {
      assignRole(model, leaf.switch, { role: 'leaf', plane: plane.id, pod: leaf.pod });
      entry.leaves.set(leaf.pod, leaf.switch);
    }
    model.planes.push(entry);
  }
}

function addSwitchStates(model, config, state) {
  const states = new Map(entriesOf(state, 'switch').map((each) => [each.name, each]));
  for (const each of entriesOf(config, 'switch')) {
    const reported = states.get(each.name);
    const node = model.switches.get(each.name);
    node.admin = each['admin-state'] ?? 'in-service';
    node.details = reported ?? {};
    node.problem = reported?.['last-error'];
    node.state = switchState(node, reported);
  }
}

function switchState(node, reported) {
  if (!reported) {
    return 'unknown';
  }
  if (!reported['ovsdb-connected'] || !reported['openflow-connected']) {
    return 'away';
  }
  if (node.problem) {
    return 'faulty';
  }
  return node.admin === 'drained' ? 'drained' : 'up';
}

function addLinks(model, config, state) {
  const states = new Map(entriesOf(state, 'link').map((each) => [linkId(each), each]));
  for (const each of entriesOf(config, 'link')) {
    const near = { switch: each.switch, port: each.port };
    const far = { switch: each['peer-switch'], port: each['peer-port'] };
    const upwards = rank(model, near) <= rank(model, far);
    const reported = states.get(linkId(each));
    const link = {
      id: linkId(each),
      switch: each.switch,
      port: each.port,
      lower: upwards ? near : far,
      upper: upwards ? far : near,
      capacity: toNumber(each.capacity ?? config['link-capacity'], 10),
      admin: each['admin-state'] ?? 'in-service',
      state: linkState(reported),
      details: reported ?? {},
    };
    model.links.set(link.id, link);
    for (const end of [near, far]) {
      model.switches.get(end.switch)?.links.push(link.id);
    }
  }
}

function linkState(reported) {
  if (!reported) {
    return 'unknown';
  }
  return reported['oper-state'] === 'up' && reported['held-back'] ? 'held-back' : reported['oper-state'];
}

function addPorts(model, state) {
  for (const each of entriesOf(state, 'port')) {
    model.ports.set(linkId(each), {
      id: linkId(each), switch: each.switch, speed: each.speed, duplex: each.duplex, mtu: each.mtu, fault: each.fault,
    });
  }
}

function addPlacements(model, state) {
  for (const each of entriesOf(state, 'placement')) {
    const dcm = model.dcms.get(each.dcm);
    if (dcm) {
      Object.assign(dcm, {
        plane: each.plane, spine: each.spine, backup: each['backup-spine'], moves: toNumber(each.moves, 0),
        reachable: toNumber(each['reachable-ros'], 0), proven: each['last-proof'], missed: each['missed-ros'] ?? [],
      });
    }
  }
}

/** Name of a link in the model and on the page, the end it is declared under; and of a port. */
export function linkId(link) {
  return `${link.switch}:${link.port}`;
}

/** Names of the DCMs placed on a spine. */
export function dcmsOn(model, plane, spine) {
  return [...model.dcms.values()].filter((dcm) => dcm.plane === plane && dcm.spine === spine).map((dcm) => dcm.name);
}

/**
 * Problems of a fabric as {kind, id, state, text}: switches first, then links, then DCMs, each by name. A port that is less
 * than it must be is a problem of its link, or of its switch if it is in none.
 */
export function problems(model) {
  const found = [];
  for (const node of model.switches.values()) {
    if (node.problem) {
      found.push({ kind: 'switch', id: node.name, state: node.state, text: node.problem });
    } else if (node.state === 'away') {
      const doubt = node.details['in-doubt'] ? ', and may hold no rules' : '';
      found.push({ kind: 'switch', id: node.name, state: 'away', text: `not connected${doubt}` });
    }
  }
  for (const link of model.links.values()) {
    if (['down', 'miscabled', 'held-back'].includes(link.state)) {
      found.push({ kind: 'link', id: link.id, state: link.state, text: link.state });
    }
    const lost = ['to-peer', 'from-peer'].map((way) => lossRate(link.details[way])).filter(Boolean);
    if (lost.length > 0) {
      found.push({ kind: 'link', id: link.id, state: 'faulty', text: `loses about ${lost.join(' and ')} of its packets` });
    }
  }
  for (const port of [...model.ports.values()].filter((each) => each.fault)) {
    const link = linkAt(model, port.id);
    found.push({ kind: link ? 'link' : 'switch', id: link?.id ?? port.switch, state: 'faulty', text: `${port.id}: ${port.fault}` });
  }
  for (const dcm of model.dcms.values()) {
    if (dcm.reachable !== undefined && dcm.reachable < model.ros.size) {
      found.push({ kind: 'dcm', id: dcm.name, state: 'down', text: `reached by ${dcm.reachable} of ${model.ros.size} ROS` });
    }
    if (dcm.missed?.length > 0) {
      found.push({ kind: 'dcm', id: dcm.name, state: 'faulty', text: `packets do not arrive, from or to ${dcm.missed.length} of ${model.ros.size} ROS` });
    }
  }
  const order = ['switch', 'link', 'dcm'];
  return found.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.id.localeCompare(b.id, 'en', { numeric: true }));
}

function linkAt(model, port) {
  return [...model.links.values()].find((link) => [link.lower, link.upper].some((end) => linkId(end) === port));
}

/** A copy of the state updated by a notification. */
export function withEvent(state, kind, body) {
  if (kind === 'link-state') {
    const change = { 'oper-state': body['oper-state'], 'held-back': body['held-back'] };
    return { ...state, link: entriesOf(state, 'link').map((each) => (linkId(each) === linkId(body) ? { ...each, ...change } : each)) };
  }
  if (kind === 'switch-state') {
    const change = {
      'ovsdb-connected': body['ovsdb-connected'], 'openflow-connected': body['openflow-connected'], 'last-error': body['last-error'],
    };
    return { ...state, switch: entriesOf(state, 'switch').map((each) => (each.name === body.switch ? { ...each, ...change } : each)) };
  }
  return state;
}

function assignRole(model, name, role) {
  const node = model.switches.get(name) ?? { name, links: [], dcms: [], details: {}, state: 'unknown' };
  model.switches.set(name, Object.assign(node, role));
  return node;
}

function rank(model, end) {
  return RANK[model.switches.get(end.switch)?.role] ?? 0;
}

function entriesOf(node, name) {
  return node[name] ?? [];
}

/** Sorted by a key; numbers in names count by value: r2 comes before r10. */
function sorted(entries, key) {
  return [...entries].sort((a, b) => String(a[key]).localeCompare(String(b[key]), 'en', { numeric: true }));
}

/** Decimals and 64-bit numbers are strings in the JSON encoding of YANG (RFC 7951). */
function toNumber(value, fallback) {
  return value === undefined ? fallback : Number(value);
}
