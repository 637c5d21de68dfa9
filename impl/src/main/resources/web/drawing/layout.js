/**
 * The positions of everything in the drawing. Pure: from a model, the open pods and the available size. The other modules
 * of this folder draw these positions, or navigate by them.
 *
 * Planes are columns, pods are rows: ROS on the left, HLT racks on the right. A spine is a tank at the top of its column; its
 * rail runs down past all pods, and a link leads from the rail to the leaf of each pod. Under the leaves of a pod each leaf
 * has a lane, a level line from the ROS to the racks; at both ends of it a trunk runs along the edge switches, where their
 * uplinks end. So no two links cover each other, however many planes there are. In a closed pod the uplinks of all ROS, or of
 * all racks, to one leaf are one bundle.
 */

const MARGIN = 10;
const TOP = { header: 24, tank: 64, fan: 26 };
const GAP = { row: 16, lane: 6, trunk: 6, uplink: 5, edge: 5 };
const LEAF = { pad: 8, stub: 10 };
const EDGE = { ros: 84, rack: 92, label: 72, link: 34, height: 20 };
const CHIP = { size: 9, small: 8, many: 12, most: 80 };
const POD_TITLE = 22;
const MAX_EDGES_OPEN = 40;

/** The pods that are open initially: all, unless they have too many edge switches. */
export function podsOpenInitially(model) {
  const edges = model.pods.reduce((sum, pod) => sum + pod.ros.length + pod.racks.length, 0);
  return new Set(edges <= MAX_EDGES_OPEN ? model.pods.map((pod) => pod.id) : []);
}

/**
 * @param open ids of the pods whose edge switches are drawn one by one
 * @param available {width, height} in pixels; the drawing is larger if that is too small
 */
export function layout(model, open, available) {
  const sizes = measure(model, open, available.width);
  const result = {
    width: sizes.width, height: 0, planes: [], pods: [], nodes: new Map(), groups: [], chips: new Map(), lines: [],
    links: new Map(), bundles: [],
  };
  const rows = largestFitting(available.height, (factor) => placeRows(model, open, sizes, factor));
  result.height = rows.end + MARGIN;
  model.planes.forEach((plane, index) => placePlane(model, plane, index, sizes, rows, result));
  model.pods.forEach((pod, index) => placePod(model, pod, rows.rows[index], sizes, result));
  return result;
}

function measure(model, open, width) {
  const count = model.planes.length;
  const spines = Math.max(1, ...model.planes.map((plane) => plane.spines.length));
  const racks = [...model.switches.values()].filter((node) => node.role === 'hlt-rack' || node.role === 'builder');
  const edge = Math.max(EDGE.height, count * GAP.uplink + 6);
  const shown = racks.filter((rack) => open.has(rack.pod) && rack.dcms.length <= CHIP.most);
  const chips = Math.max(0, ...shown.map((rack) => chipGrid(rack.dcms.length, edge).width));
  const rack = chips ? EDGE.label + Math.max(72, chips) + 8 : EDGE.rack;
  const trunks = EDGE.link + count * GAP.trunk;
  const left = MARGIN * 2 + EDGE.ros + trunks;
  const right = MARGIN * 2 + rack + trunks;
  const minimum = Math.max(spines * 20, spines * 9 + 54) + 16;
  const total = Math.max(width, left + right + count * minimum);
  return { count, edge, left, right, rack, spines, width: total, column: count ? (total - left - right) / count : 0 };
}

/** Few DCMs are in one row, many in as many rows as fit the height of a rack. */
function chipGrid(count, edge) {
  const size = count <= CHIP.many ? CHIP.size : CHIP.small;
  const rows = count <= CHIP.many ? 1 : Math.floor(edge / size);
  const columns = Math.ceil(count / rows);
  return { size, rows, columns, width: columns * size };
}

/** The rows at the largest factor, from 2 down to 1, that fits the height. */
function largestFitting(height, place) {
  const sizes = [...Array(11).keys()].map((at) => 2 - at / 10);
  return place(sizes.find((factor) => place(factor).end + MARGIN <= height) ?? 1);
}

function placeRows(model, open, sizes, factor) {
  const tank = TOP.tank * factor;
  let y = MARGIN + TOP.header + tank + TOP.fan;
  const begin = y;
  const step = 9 * factor;
  const leafHeight = Math.max(30, (sizes.spines - 1) * step + LEAF.pad * 2);
  const [laneGap, uplink] = [GAP.lane * factor, GAP.uplink * factor];
  const edge = sizes.edge * factor;
  const edgeGap = GAP.edge * factor;
  const rows = model.pods.map((pod) => {
    const [top, isOpen] = [y, open.has(pod.id)];
    const closed = POD_TITLE + leafHeight + LEAF.stub + sizes.count * laneGap + 6;
    const most = isOpen ? Math.max(pod.ros.length, pod.racks.length) : 0;
    const height = Math.max(closed, POD_TITLE + most * (edge + edgeGap) + 6);
    y += height + GAP.row;
    return {
      y: top, height, open: isOpen, edge, edgeGap, uplink, step, leafTop: top + POD_TITLE, leafHeight,
      lane: (index) => top + POD_TITLE + leafHeight + LEAF.stub + index * laneGap,
    };
  });
  return { rows, begin, end: y - GAP.row, top: MARGIN, tank };
}

function placePlane(model, plane, index, sizes, rows, result) {
  const x = sizes.left + index * sizes.column;
  const inner = sizes.column - 16;
  result.planes.push({ id: plane.id, x: x + 4, y: rows.top, width: sizes.column - 8, height: rows.end - rows.top });
  const each = inner / Math.max(1, plane.spines.length);
  const spacing = Math.min(60, Math.max(9, (inner * 0.4) / Math.max(1, plane.spines.length)));
  const rails = new Map();
  plane.spines.forEach((name, at) => {
    const tank = {
      name, role: 'spine', width: Math.min(each - 4, 110), height: rows.tank, y: rows.top + TOP.header,
    };
    tank.x = x + 8 + at * each + (each - tank.width) / 2;
    result.nodes.set(name, tank);
    const rail = x + 8 + spacing * (at + 0.5);
    const start = tank.y + rows.tank;
    rails.set(name, rail);
    const last = Math.max(rows.begin, ...rows.rows.map((row) => row.leafTop + LEAF.pad + at * row.step));
    result.lines.push({
      of: name, points: [[tank.x + tank.width / 2, start], [rail, start + TOP.fan - 4], [rail, last]],
    });
  });
  const railsEnd = x + 8 + spacing * plane.spines.length + 26;
  const leafWidth = Math.min(Math.max(30, x + sizes.column - 12 - railsEnd), 120);
  const leafX = x + sizes.column - 12 - leafWidth;
  model.pods.forEach((pod, at) => {
    const name = plane.leaves.get(pod.id);
    if (name !== undefined) {
      placeLeaf(model, name, plane, index, rows.rows[at], { rails, leafX, leafWidth, sizes }, result);
    }
  });
}

function placeLeaf(model, name, plane, index, row, place, result) {
  const { rails, leafX, leafWidth, sizes } = place;
  const node = { name, role: 'leaf', x: leafX, y: row.leafTop, width: leafWidth, height: row.leafHeight };
  const lane = row.lane(index);
  const stub = leafX + leafWidth / 2;
  node.hub = [stub, row.leafTop + row.leafHeight / 2];
  node.lane = lane;
  result.nodes.set(name, node);
  const ends = [trunkLeft(sizes, index), trunkRight(sizes, index)];
  result.lines.push({ of: name, points: [[stub, row.leafTop + row.leafHeight], [stub, lane]] });
  result.lines.push({ of: name, points: [[ends[0], lane], [ends[1], lane]] });
  const toSpines = linksByPeer(model, name, 'upper');
  for (const [upper, ids] of toSpines) {
    const rail = rails.get(upper);
    if (rail !== undefined) {
      const y = row.leafTop + LEAF.pad + plane.spines.indexOf(upper) * row.step;
      spread(ids, y, Math.min(4, row.step / ids.length)).forEach(([id, at]) => {
        result.links.set(id, {
          points: [[leafX, at], [rail, at]], toLower: [[leafX + 6, at], node.hub], toUpper: [],
        });
      });
    }
  }
}

/** Links of a switch by the switch at the other end, which is their upper or lower end. */
function linksByPeer(model, name, other) {
  const own = other === 'upper' ? 'lower' : 'upper';
  const result = new Map();
  for (const id of model.switches.get(name).links) {
    const link = model.links.get(id);
    if (link[own].switch === name) {
      result.set(link[other].switch, [...(result.get(link[other].switch) ?? []), id]);
    }
  }
  return result;
}

/** Positions of parallel links side by side. */
function spread(ids, middle, gap) {
  return ids.map((id, at) => [id, middle + (at - (ids.length - 1) / 2) * gap]);
}

function trunkLeft(sizes, index) {
  return sizes.left - GAP.trunk * (sizes.count - index) + 2;
}

function trunkRight(sizes, index) {
  return sizes.width - sizes.right + GAP.trunk * (index + 1) - 2;
}

function placePod(model, pod, row, sizes, result) {
  result.pods.push({
    id: pod.id, open: row.open, x: MARGIN / 2, y: row.y, width: sizes.width - MARGIN, height: row.height,
    ros: pod.ros.length, racks: pod.racks.length,
    dcms: pod.racks.reduce((sum, name) => sum + model.switches.get(name).dcms.length, 0),
  });
  const left = { x: MARGIN * 1.5, width: EDGE.ros, side: 'left' };
  const right = { x: sizes.width - MARGIN * 1.5 - sizes.rack, width: sizes.rack, side: 'right' };
  for (const [names, kind, place] of [[pod.ros, 'ros', left], [pod.racks, 'hlt-rack', right]]) {
    if (row.open) {
      names.forEach((name, at) => placeEdge(model, name, kind, at, row, place, sizes, result));
      addTrunks(model, pod, names.length, row, place, sizes, result);
    } else if (names.length) {
      placeGroup(model, pod, names, kind, row, place, sizes, result);
    }
  }
}

function planeOfLeaf(model, name) {
  return model.planes.findIndex((plane) => plane.id === model.switches.get(name)?.plane);
}

function placeEdge(model, name, kind, at, row, place, sizes, result) {
  const y = row.y + POD_TITLE + at * (row.edge + row.edgeGap);
  const node = { name, role: kind, x: place.x, y, width: place.width, height: row.edge };
  node.labelWidth = node.width > EDGE.rack ? EDGE.label : node.width;
  node.hub = [node.x + node.labelWidth / 2, y + row.edge / 2];
  result.nodes.set(name, node);
  const from = place.side === 'left' ? node.x + node.width : node.x;
  for (const [leaf, ids] of linksByPeer(model, name, 'upper')) {
    const index = planeOfLeaf(model, leaf);
    const upper = result.nodes.get(leaf);
    if (index >= 0 && upper) {
      const to = place.side === 'left' ? trunkLeft(sizes, index) : trunkRight(sizes, index);
      const middle = y + row.edge / 2 + (index - (sizes.count - 1) / 2) * row.uplink;
      spread(ids, middle, Math.min(3, row.uplink / ids.length)).forEach(([id, line]) => {
        result.links.set(id, {
          points: [[from, line], [to, line]], toLower: [[from, line], node.hub],
          toUpper: [[to, line], [to, upper.lane], [upper.hub[0], upper.lane], upper.hub],
        });
      });
    }
  }
  placeChips(model, node, sizes.edge, result);
}

/** The DCMs of a rack; none are drawn if there are too many to click on. */
function placeChips(model, node, edge, result) {
  const { dcms } = model.switches.get(node.name);
  if (!dcms.length || dcms.length > CHIP.most) {
    return;
  }
  const { size, rows, columns } = chipGrid(dcms.length, edge);
  const x = node.x + EDGE.label;
  const y = node.y + (node.height - rows * size) / 2;
  dcms.forEach((name, at) => result.chips.set(name, {
    name, x: x + (at % columns) * size, y: y + Math.floor(at / columns) * size, size: size - 1,
  }));
}

/** A leaf's trunk along all edge switches of one side. */
function addTrunks(model, pod, count, row, place, sizes, result) {
  if (!count) {
    return;
  }
  model.planes.forEach((plane, index) => {
    const leaf = plane.leaves.get(pod.id);
    if (leaf !== undefined) {
      const x = place.side === 'left' ? trunkLeft(sizes, index) : trunkRight(sizes, index);
      const first = row.y + POD_TITLE + row.edge / 2;
      const last = first + (count - 1) * (row.edge + row.edgeGap);
      const off = (index - (sizes.count - 1) / 2) * row.uplink;
      const ys = [first + off, last + off, row.lane(index)];
      result.lines.push({ of: leaf, points: [[x, Math.min(...ys)], [x, Math.max(...ys)]] });
    }
  });
}

function placeGroup(model, pod, names, kind, row, place, sizes, result) {
  const top = row.leafTop + 4;
  const bottom = row.lane(sizes.count - 1) + 6;
  const group = {
    id: `${kind} of pod ${pod.id}`, pod: pod.id, kind, names, x: place.x, y: top, width: place.width, height: bottom - top,
  };
  group.hub = [group.x + group.width / 2, (top + bottom) / 2];
  result.groups.push(group);
  const from = place.side === 'left' ? group.x + group.width : group.x;
  const byLeaf = new Map();
  for (const name of names) {
    for (const [leaf, ids] of linksByPeer(model, name, 'upper')) {
      byLeaf.set(leaf, [...(byLeaf.get(leaf) ?? []), ...ids]);
    }
  }
  for (const [leaf, ids] of byLeaf) {
    const index = planeOfLeaf(model, leaf);
    const upper = result.nodes.get(leaf);
    if (index >= 0 && upper) {
      const to = place.side === 'left' ? trunkLeft(sizes, index) : trunkRight(sizes, index);
      const bundle = { id: `${kind} of pod ${pod.id}, plane ${model.planes[index].id}`, pod: pod.id, ids, points: [[from, upper.lane], [to, upper.lane]] };
      result.bundles.push(bundle);
      for (const id of ids) {
        result.links.set(id, {
          bundled: true, points: bundle.points, toLower: [[from, upper.lane], group.hub],
          toUpper: [[to, upper.lane], [upper.hub[0], upper.lane], upper.hub],
        });
      }
    }
  }
}
