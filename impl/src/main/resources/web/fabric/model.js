/** What is drawn: a fabric's configuration and state, joined. Pure. */

const RANK = { spine: 2, leaf: 1, ros: 0, 'hlt-rack': 0 };

/**
 * @param config the entry of list fabric as RESTCONF gives it
 * @param state the container state; an empty object where there is none yet
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
    spares: [],
  };
  for (const each of list(config, 'switch')) {
    model.switches.set(each.name, { name: each.name, role: 'spare', links: [], dcms: [] });
  }
  addPods(model, config);
  addPlanes(model, config, state);
  addSwitchStates(model, config, state);
  addLinks(model, config, state);
  addPlacements(model, state);
  model.spares = [...model.switches.values()].filter((each) => each.role === 'spare').map((each) => each.name);
  return model;
}

function addPods(model, config) {
  for (const pod of sorted(list(config, 'pod'), 'id')) {
    const entry = { id: pod.id, ros: [], racks: [] };
    for (const ros of sorted(list(pod, 'ros'), 'name')) {
      give(model, ros.switch, { role: 'ros', pod: pod.id, host: ros.name });
      entry.ros.push(ros.switch);
      model.ros.set(ros.name, {
        name: ros.name, address: ros.address, switch: ros.switch, pod: pod.id, weight: number(ros['fragment-weight'], 1),
      });
    }
    for (const rack of sorted(list(pod, 'hlt-rack'), 'name')) {
      const node = give(model, rack.switch, { role: 'hlt-rack', pod: pod.id, host: rack.name });
      entry.racks.push(rack.switch);
      for (const dcm of sorted(list(rack, 'dcm'), 'name')) {
        node.dcms.push(dcm.name);
        model.dcms.set(dcm.name, {
          name: dcm.name, address: dcm.address, switch: rack.switch, pod: pod.id, weight: number(dcm.weight, 1),
        });
      }
    }
    model.pods.push(entry);
  }
}

function addPlanes(model, config, state) {
  const loads = new Map(list(state, 'spine').map((each) => [`${each.plane} ${each.spine}`, each]));
  for (const plane of sorted(list(config, 'plane'), 'id')) {
    const entry = { id: plane.id, spines: [], leaves: new Map() };
    for (const spine of sorted(list(plane, 'spine'), 'id')) {
      const load = loads.get(`${plane.id} ${spine.id}`) ?? {};
      give(model, spine.switch, {
        role: 'spine', plane: plane.id, spine: spine.id, level: number(load.dcms, 0), load: number(load.load, 0),
      });
      entry.spines.push(spine.switch);
    }
    for (const leaf of list(plane, 'leaf')) {
      give(model, leaf.switch, { role: 'leaf', plane: plane.id, pod: leaf.pod });
      entry.leaves.set(leaf.pod, leaf.switch);
    }
    model.planes.push(entry);
  }
}

function addSwitchStates(model, config, state) {
  const states = new Map(list(state, 'switch').map((each) => [each.name, each]));
  for (const each of list(config, 'switch')) {
    const seen = states.get(each.name);
    const node = model.switches.get(each.name);
    node.admin = each['admin-state'] ?? 'in-service';
    node.details = seen ?? {};
    node.problem = seen?.['last-error'];
    node.state = switchState(node, seen);
  }
}

function switchState(node, seen) {
  if (!seen) {
    return 'unknown';
  }
  if (!seen['ovsdb-connected'] || !seen['openflow-connected']) {
    return 'away';
  }
  if (node.problem) {
    return 'faulty';
  }
  return node.admin === 'drained' ? 'drained' : 'up';
}

function addLinks(model, config, state) {
  const states = new Map(list(state, 'link').map((each) => [linkId(each), each]));
  for (const each of list(config, 'link')) {
    const near = { switch: each.switch, port: each.port };
    const far = { switch: each['peer-switch'], port: each['peer-port'] };
    const upwards = rank(model, near) <= rank(model, far);
    const seen = states.get(linkId(each));
    const link = {
      id: linkId(each),
      switch: each.switch,
      port: each.port,
      lower: upwards ? near : far,
      upper: upwards ? far : near,
      capacity: number(each.capacity ?? config['link-capacity'], 10),
      admin: each['admin-state'] ?? 'in-service',
      state: linkState(seen),
      details: seen ?? {},
    };
    model.links.set(link.id, link);
    for (const end of [near, far]) {
      model.switches.get(end.switch)?.links.push(link.id);
    }
  }
}

function linkState(seen) {
  if (!seen) {
    return 'unknown';
  }
  return seen['oper-state'] === 'up' && seen['held-back'] ? 'held-back' : seen['oper-state'];
}

function addPlacements(model, state) {
  for (const each of list(state, 'placement')) {
    const dcm = model.dcms.get(each.dcm);
    if (dcm) {
      Object.assign(dcm, {
        plane: each.plane, spine: each.spine, backup: each['backup-spine'], moves: number(each.moves, 0),
        reachable: number(each['reachable-ros'], 0),
      });
    }
  }
}

/** A link's name, in the model and to people: the end it is declared under. */
export function linkId(link) {
  return `${link.switch}:${link.port}`;
}

/** The DCMs that are placed on a spine, by name. */
export function dcmsOn(model, plane, spine) {
  return [...model.dcms.values()].filter((dcm) => dcm.plane === plane && dcm.spine === spine).map((dcm) => dcm.name);
}

/** What is not as it should be, switches first, by name: {kind, id, state, text}. */
export function problems(model) {
  const found = [];
  for (const node of model.switches.values()) {
    if (node.problem) {
      found.push({ kind: 'switch', id: node.name, state: node.state, text: node.problem });
    } else if (node.state === 'away') {
      found.push({ kind: 'switch', id: node.name, state: 'away', text: 'not connected' });
    }
  }
  for (const link of model.links.values()) {
    if (['down', 'miscabled', 'held-back'].includes(link.state)) {
      found.push({ kind: 'link', id: link.id, state: link.state, text: link.state });
    }
  }
  for (const dcm of model.dcms.values()) {
    if (dcm.reachable !== undefined && dcm.reachable < model.ros.size) {
      found.push({ kind: 'dcm', id: dcm.name, state: 'down', text: `reached by ${dcm.reachable} of ${model.ros.size} ROS` });
    }
  }
  const order = ['switch', 'link', 'dcm'];
  return found.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.id.localeCompare(b.id, 'en', { numeric: true }));
}

/** The state with what a notification says already in it; the state itself is not changed. */
export function withEvent(state, kind, body) {
  if (kind === 'link-state') {
    const change = { 'oper-state': body['oper-state'], 'held-back': body['held-back'] };
    return { ...state, link: list(state, 'link').map((each) => (linkId(each) === linkId(body) ? { ...each, ...change } : each)) };
  }
  if (kind === 'switch-state') {
    const change = {
      'ovsdb-connected': body['ovsdb-connected'], 'openflow-connected': body['openflow-connected'], 'last-error': body['last-error'],
    };
    return { ...state, switch: list(state, 'switch').map((each) => (each.name === body.switch ? { ...each, ...change } : each)) };
  }
  return state;
}

function give(model, name, role) {
  const node = model.switches.get(name) ?? { name, links: [], dcms: [], details: {}, state: 'unknown' };
  model.switches.set(name, Object.assign(node, role));
  return node;
}

function rank(model, end) {
  return RANK[model.switches.get(end.switch)?.role] ?? 0;
}

function list(node, name) {
  return node[name] ?? [];
}

/** By number where the key is one, else by name, numbers in it by value: r2 before r10. */
function sorted(entries, key) {
  return [...entries].sort((a, b) => String(a[key]).localeCompare(String(b[key]), 'en', { numeric: true }));
}

/** Decimals and 64-bit numbers are strings in JSON of YANG data (RFC 7951). */
function number(value, otherwise) {
  return value === undefined ? otherwise : Number(value);
}
