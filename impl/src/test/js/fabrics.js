/** Fabrics for tests: regular ones, as `lab/daqlab generate` makes them, and their state when all is up. */

/** A configuration: switches pPsS, pPlK, rK-N, hK-N; links declared under their lower end. */
export function fabric({ planes = 2, spines = 2, pods = 2, ros = 3, racks = 3, dcms = 8 } = {}) {
  const config = { name: 'test', 'link-capacity': '10.0', plane: [], pod: [], switch: [], link: [] };
  const range = (count) => [...Array(count).keys()].map((at) => at + 1);
  const addLink = (lower, upper) => config.link.push({
    switch: lower, port: `to-${upper}`, 'peer-switch': upper, 'peer-port': `to-${lower}`,
  });
  const addSwitch = (name) => config.switch.push({ name });
  for (const plane of range(planes)) {
    range(spines).forEach((id) => addSwitch(`p${plane}s${id}`));
    range(pods).forEach((id) => addSwitch(`p${plane}l${id}`));
    config.plane.push({
      id: plane,
      spine: range(spines).map((id) => ({ id, switch: `p${plane}s${id}` })),
      leaf: range(pods).map((pod) => ({ pod, switch: `p${plane}l${pod}` })),
    });
    range(pods).forEach((pod) => range(spines).forEach((id) => addLink(`p${plane}l${pod}`, `p${plane}s${id}`)));
  }
  for (const pod of range(pods)) {
    const edge = (name) => {
      addSwitch(name);
      range(planes).forEach((plane) => addLink(name, `p${plane}l${pod}`));
    };
    range(ros).forEach((id) => edge(`r${pod}-${id}`));
    range(racks).forEach((id) => edge(`h${pod}-${id}`));
    config.pod.push({
      id: pod,
      ros: range(ros).map((id) => ({ name: `r${pod}-${id}`, address: `10.1.${pod}.${id}`, switch: `r${pod}-${id}` })),
      'hlt-rack': range(racks).map((id) => ({
        name: `h${pod}-${id}`, switch: `h${pod}-${id}`,
        dcm: range(dcms).map((dcm) => ({ name: `h${pod}-${id}d${dcm}`, address: `10.2.${pod * 16 + id}.${dcm}` })),
      })),
    });
  }
  return config;
}

/** The state of a fabric in which everything is up and DCMs are placed on the spines in turn. */
export function running(config) {
  const places = config.plane.flatMap((plane) => plane.spine.map((spine) => ({ plane: plane.id, spine: spine.id })));
  const dcms = config.pod.flatMap((pod) => pod['hlt-rack'].flatMap((rack) => rack.dcm));
  const ros = config.pod.flatMap((pod) => pod.ros).length;
  const placement = dcms.map((dcm, at) => ({ dcm: dcm.name, ...places[at % places.length], moves: '0', 'reachable-ros': ros }));
  return {
    phase: 'converged',
    generation: '1',
    switch: config.switch.map(({ name }) => ({ name, 'ovsdb-connected': true, 'openflow-connected': true })),
    link: config.link.map((link) => ({ switch: link.switch, port: link.port, 'oper-state': 'up' })),
    placement,
    spine: places.map((place) => ({
      ...place, load: '1.0', dcms: placement.filter((each) => each.plane === place.plane && each.spine === place.spine).length,
    })),
    capacity: { bandwidth: '120.0', 'nominal-bandwidth': '120.0', utilisation: '1.0' },
  };
}

/** A random number generator for a seed. */
export function random(start) {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function seed() {
  return Number(process.env.DAQFABRIC_SEED ?? Math.floor(Math.random() * 1e9));
}

/** A random fabric with some links and leaves left out. */
export function generated(next) {
  const config = fabric({
    planes: 1 + next(6), spines: 1 + next(6), pods: 1 + next(5), ros: next(6), racks: next(5), dcms: next(30),
  });
  config.link = config.link.filter(() => next(20) > 0);
  if (next(3) === 0) {
    config.plane[0].leaf.pop();
  }
  return config;
}
