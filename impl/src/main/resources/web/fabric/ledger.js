/** Where packets of a fabric were lost: links by direction, daqrings that were full, hosts of switches. Pure. */
import { linkId } from './model.js';
import { lossRate } from './words.js';

/**
 * The places that lost packets since their counters began, those with most first, as {kind, id, place, packets, rate};
 * `packets` is a BigInt, how many at least, and `rate` what is lost at present.
 */
export function ledger(model) {
  const places = [...linkLosses(model), ...ringDrops(model), ...hostDrops(model)];
  return places.filter((each) => each.packets > 0n || each.rate)
    .sort((a, b) => Number(b.packets - a.packets) || a.place.localeCompare(b.place, 'en', { numeric: true }));
}

function linkLosses(model) {
  return [...model.links.values()].flatMap((link) => {
    const near = { switch: link.switch, port: link.port };
    const far = linkId(link.lower) === link.id ? link.upper : link.lower;
    return [['to-peer', near, far], ['from-peer', far, near]].map(([way, from, to]) => ({
      kind: 'link', id: link.id, place: `link from ${linkId(from)} to ${to.switch}`,
      packets: BigInt(link.details[way]?.['lost-packets'] ?? 0), rate: lossRate(link.details[way]),
    }));
  });
}

/** Of the recorded episodes, as the counters of all daqrings are too much to read again and again. */
function ringDrops(model) {
  const sums = new Map();
  for (const each of model.drops) {
    const place = `daqring of ${each.dcm} in ${each.switch}`;
    const before = sums.get(place)?.packets ?? 0n;
    sums.set(place, { kind: 'switch', id: each.switch, place, packets: before + BigInt(each.dropped) });
  }
  return [...sums.values()];
}

function hostDrops(model) {
  return [...model.switches.values()].flatMap(({ name, details }) => {
    const drops = details['host-drops'] ?? {};
    return [['packet-sockets', 'packet sockets'], ['processor-backlogs', 'processor backlogs']].map(([leaf, words]) => ({
      kind: 'switch', id: name, place: `${words} of ${name}'s host`, packets: BigInt(drops[leaf] ?? 0),
    }));
  });
}
