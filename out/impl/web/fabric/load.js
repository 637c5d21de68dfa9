/** The load of each link, from the placement of the DCMs. Pure. */

/**
 * A map from a link's id to {up, down, relative}: the traffic towards the spines and away from them in Gbps, scaled so
 * that the fabric's fullest link is full, and the larger of both relative to the link's capacity. Traffic is that of the
 * fragments from every ROS to every DCM over the DCM's primary plane and spine; fast failover is not considered.
 */
export function linkLoads(model) {
  const linksBetween = usableLinks(model);
  const loads = new Map([...model.links.keys()].map((id) => [id, { up: 0, down: 0 }]));
  const add = (from, to, direction, amount) => {
    const ids = linksBetween.get(`${from} ${to}`) ?? [];
    ids.forEach((id) => { loads.get(id)[direction] += amount / ids.length; });
  };
  const weights = rosWeights(model);
  const weightByPlane = new Map();
  for (const [flow, weight] of flows(model)) {
    const [plane, spine, pod] = flow.split(' ').map(Number);
    const leaves = plane && model.planes.find((each) => each.id === plane)?.leaves;
    const spineSwitch = leaves && model.planes.find((each) => each.id === plane).spines
      .find((name) => model.switches.get(name).spine === spine);
    if (!leaves) {
      continue;
    }
    weightByPlane.set(plane, (weightByPlane.get(plane) ?? 0) + weight);
    for (const [source, fragmentWeight] of weights.pods) {
      if (source !== pod && spineSwitch) {
        add(leaves.get(source), spineSwitch, 'up', weight * fragmentWeight);
        add(leaves.get(pod), spineSwitch, 'down', weight * fragmentWeight);
      }
    }
  }
  for (const dcm of model.dcms.values()) {
    const leaf = model.planes.find((each) => each.id === dcm.plane)?.leaves.get(dcm.pod);
    add(dcm.switch, leaf, 'down', dcm.weight * weights.total);
  }
  for (const [plane, weight] of weightByPlane) {
    const leaves = model.planes.find((each) => each.id === plane).leaves;
    for (const ros of model.ros.values()) {
      add(ros.switch, leaves.get(ros.pod), 'up', weight * ros.weight);
    }
  }
  return relativeToFullest(model, loads);
}

/** Ids of the usable links between two switches, by "lower upper". */
function usableLinks(model) {
  const result = new Map();
  for (const link of model.links.values()) {
    if (link.state === 'up' || link.state === 'unknown') {
      const key = `${link.lower.switch} ${link.upper.switch}`;
      result.set(key, [...(result.get(key) ?? []), link.id]);
    }
  }
  return result;
}

function rosWeights(model) {
  const pods = new Map();
  let total = 0;
  for (const ros of model.ros.values()) {
    pods.set(ros.pod, (pods.get(ros.pod) ?? 0) + ros.weight);
    total += ros.weight;
  }
  return { pods, total };
}

/** Total weight of the DCMs by plane, spine and pod. */
function flows(model) {
  const result = new Map();
  for (const dcm of model.dcms.values()) {
    if (dcm.plane !== undefined) {
      const key = `${dcm.plane} ${dcm.spine ?? 0} ${dcm.pod}`;
      result.set(key, (result.get(key) ?? 0) + dcm.weight);
    }
  }
  return result;
}

function relativeToFullest(model, loads) {
  let fullest = 0;
  for (const [id, load] of loads) {
    fullest = Math.max(fullest, Math.max(load.up, load.down) / model.links.get(id).capacity);
  }
  const result = new Map();
  for (const [id, load] of loads) {
    const { capacity } = model.links.get(id);
    const [up, down] = fullest ? [load.up / fullest, load.down / fullest] : [0, 0];
    result.set(id, { up, down, relative: Math.max(up, down) / capacity });
  }
  return result;
}
