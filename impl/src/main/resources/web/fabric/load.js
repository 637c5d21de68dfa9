/** How full each link is, from where the DCMs are placed. Pure. */

/**
 * A map from a link's id to {up, down, relative}: the traffic towards the spines and away from them, in Gbps when the
 * fabric's fullest link is full, and the larger of both relative to the capacity. The fragments of every ROS are followed
 * to every DCM by the DCM's primary plane and spine; what a failure sends another way for a moment is not.
 */
export function linkLoads(model) {
  const routes = lanes(model);
  const sum = new Map([...model.links.keys()].map((id) => [id, { up: 0, down: 0 }]));
  const add = (from, to, direction, amount) => {
    const ids = routes.get(`${from} ${to}`) ?? [];
    ids.forEach((id) => { sum.get(id)[direction] += amount / ids.length; });
  };
  const weights = rosWeights(model);
  const ofRos = new Map();
  for (const [flow, weight] of flows(model)) {
    const [plane, spine, pod] = flow.split(' ').map(Number);
    const leaves = plane && model.planes.find((each) => each.id === plane)?.leaves;
    const top = leaves && model.planes.find((each) => each.id === plane).spines
      .find((name) => model.switches.get(name).spine === spine);
    if (!leaves) {
      continue;
    }
    ofRos.set(plane, (ofRos.get(plane) ?? 0) + weight);
    for (const [source, sent] of weights.pods) {
      if (source !== pod && top) {
        add(leaves.get(source), top, 'up', weight * sent);
        add(leaves.get(pod), top, 'down', weight * sent);
      }
    }
  }
  for (const dcm of model.dcms.values()) {
    const leaf = model.planes.find((each) => each.id === dcm.plane)?.leaves.get(dcm.pod);
    add(dcm.switch, leaf, 'down', dcm.weight * weights.total);
  }
  for (const [plane, weight] of ofRos) {
    const leaves = model.planes.find((each) => each.id === plane).leaves;
    for (const ros of model.ros.values()) {
      add(ros.switch, leaves.get(ros.pod), 'up', weight * ros.weight);
    }
  }
  return scaled(model, sum);
}

/** Links that can be used, by the switches they join, lower one first. */
function lanes(model) {
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

/** Weight of the DCMs of each plane, spine and pod. */
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

function scaled(model, sum) {
  let fullest = 0;
  for (const [id, load] of sum) {
    fullest = Math.max(fullest, Math.max(load.up, load.down) / model.links.get(id).capacity);
  }
  const result = new Map();
  for (const [id, load] of sum) {
    const { capacity } = model.links.get(id);
    const [up, down] = fullest ? [load.up / fullest, load.down / fullest] : [0, 0];
    result.set(id, { up, down, relative: Math.max(up, down) / capacity });
  }
  return result;
}
