/** Title and facts of the selected switch, link, bundle or DCM; undefined if it no longer exists. */
import { element, facts, button, table } from './dom.js';
import { dropList } from './drops.js';
import { dcmsOn, linkId } from '../fabric/model.js';
import { capitalised, clock, count, gbps, losses, lossRate, percent, ROLES, sign, stateWord } from '../fabric/words.js';

const MAX_SHOWN = 200;

export function switchFacts({ model, loads, selected }, actions) {
  const node = model.switches.get(selected.id);
  if (!node) {
    return undefined;
  }
  const { details } = node;
  const placed = node.role === 'spine' ? dcmsOn(model, node.plane, node.spine) : node.dcms;
  return {
    title: `${capitalised(ROLES[node.role])} ${node.host ?? node.name}`,
    content: [
      facts([
        ['State', `${sign(node.state)} ${stateWord(node.state)}`],
        ['What to do', node.problem],
        ['In doubt', details['in-doubt'] ? 'It may hold no rules: let it reach the controller.' : undefined],
        ...[...model.ports.values()].filter((port) => port.switch === node.name && port.fault).map((port) => [`Port ${port.id}`, port.fault]),
        ['Switch', node.host && node.host !== node.name ? node.name : undefined],
        ['Address', [...model.ros.values()].find((ros) => ros.switch === node.name)?.address],
        ['Plane', node.plane],
        ['Pod', node.pod],
        ['Load', node.role === 'spine' ? `${percent(node.load)} of the fabric's fullest link` : undefined],
        ['Controller', node.state === 'unknown' ? undefined : `OVSDB ${connectedWord(details['ovsdb-connected'])}, OpenFlow ${connectedWord(details['openflow-connected'])}`],
        ['Holds', details.rules === undefined ? undefined : `${count(details.rules, 'rule')}, ${count(details.groups, 'group')}, ${details.daqrings === 'unsupported' ? 'daqrings unsupported' : count(details.daqrings ?? 0, 'daqring')}`],
        ['Datapath', details['datapath-id']],
        ['Host dropped', hostDrops(details['host-drops'])],
      ]),
      element('h3', { text: count(node.links.length, 'link') }),
      linkTable(`Links of ${node.name}`, node.links, { model, loads, from: node.name }, actions),
      dropList(model.drops.filter((each) => each.switch === node.name), actions),
      placed.length > 0 && dcmList(placed, node.role === 'spine' ? 'placed here' : 'in this rack', actions),
    ],
  };
}

export function linkFacts({ model, loads, selected }, actions) {
  const link = model.links.get(selected.id);
  if (!link) {
    return undefined;
  }
  const { details } = link;
  const load = loads.get(link.id);
  const [upwards, downwards] = details.switch === link.lower.switch ? ['to-peer', 'from-peer'] : ['from-peer', 'to-peer'];
  const end = ({ switch: name, port }) => element('span', {}, switchButton(name, actions), ` ${port}${lineOf(model.ports.get(linkId({ switch: name, port })))}`);
  const faults = [link.lower, link.upper].map((each) => model.ports.get(linkId(each))).filter((each) => each?.fault);
  return {
    title: `Link ${link.id}`,
    content: [facts([
      ['State', `${sign(link.state)} ${stateWord(link.state)}${details.since ? ` since ${clock(details.since)}` : ''}`],
      ['What to do', advice(link)],
      ...faults.map((port) => [`Port of ${port.switch}`, port.fault]),
      ['Below', end(link.lower)],
      ['Above', end(link.upper)],
      ['Capacity', gbps(link.capacity)],
      ['Load upwards', `${percent(load.up / link.capacity)} of the fullest link's`],
      ['Load downwards', `${percent(load.down / link.capacity)} of the fullest link's`],
      ['Carries upwards', carried(link, upwards)],
      ['Carries downwards', carried(link, downwards)],
      ['Lost upwards', losses(details[upwards])],
      ['Lost downwards', losses(details[downwards])],
      ['Seen at its end', details['seen-peer-switch'] && `${details['seen-peer-switch']} ${details['seen-peer-port'] ?? ''}`],
    ])],
  };
}

/** What was measured in the last half minute; undefined while nothing is known. */
function carried(link, direction) {
  const measured = link.details[direction]?.measured;
  return measured === undefined ? undefined : `${gbps(Number(measured))}, ${percent(measured / link.capacity)} of its capacity`;
}

/** Speed, duplex mode and MTU of a port, as far as they are known. */
function lineOf(port) {
  const known = [
    port?.speed !== undefined && gbps(port.speed), port?.duplex && `${port.duplex} duplex`, port?.mtu !== undefined && `MTU ${port.mtu}`,
  ].filter(Boolean);
  return known.length > 0 ? `: ${known.join(', ')}` : '';
}

/** What the kernel of a switch's host has dropped; undefined while daqfabric-node does not say. */
function hostDrops(drops) {
  return drops && `${count(Number(drops['packet-sockets']), 'packet')} at packet sockets, ${drops['processor-backlogs']} in processors' backlogs`;
}

function advice(link) {
  const { details } = link;
  if (lossRate(details['to-peer']) || lossRate(details['from-peer'])) {
    return 'It loses packets. See on the switch that sends whether its firewall or a queue of Linux drops them; if not, replace the cable or the transceivers.';
  }
  switch (link.state) {
    case 'down':
      if (details['silent-to-peer'] || details['silent-from-peer']) {
        return 'It is up, and packets do not pass: look for what drops them in the nodes at its ends, then check the cable.';
      }
      return 'Repair it: check the cable, the transceivers and the switches at its ends. It is used again once it is up.';
    case 'miscabled':
      return 'Plug the cable in as configured, or correct the configuration.';
    case 'held-back':
      return 'It has failed repeatedly, a run is in progress, or the policy is manual: rpc rebalance takes it into use at once.';
    default:
      return undefined;
  }
}

export function bundleFacts({ model, loads, drawing, selected }, actions) {
  const bundle = drawing.bundles.find((each) => each.id === selected.id);
  return bundle && {
    title: `Uplinks of ${bundle.id}`,
    content: [linkTable(`Uplinks of ${bundle.id}`, bundle.ids, { model, loads }, actions)],
  };
}

export function dcmFacts({ model, selected }, actions) {
  const dcm = model.dcms.get(selected.id);
  if (!dcm) {
    return undefined;
  }
  const spine = model.planes.find((plane) => plane.id === dcm.plane)?.spines.find((name) => model.switches.get(name).spine === dcm.spine);
  return {
    title: `DCM ${dcm.name}`,
    content: [facts([
      ['Address', dcm.address],
      ['HLT rack', switchButton(dcm.switch, actions)],
      ['Pod', dcm.pod],
      ['Placed', dcm.plane === undefined ? 'nowhere: it has no path' : element('span', {}, `plane ${dcm.plane}`, spine ? ', ' : '', spine ? switchButton(spine, actions) : '')],
      ['Backup', dcm.backup === undefined ? undefined : `spine ${dcm.backup}`],
      ['Reached by', dcm.reachable === undefined ? undefined : `${dcm.reachable} of ${model.ros.size} ROS`],
      ['Packets passed', dcm.proven && `from and to all ROS since ${clock(dcm.proven)}`],
      ['Missed', dcm.missed?.length > 0 ? `packets from or to ${dcm.missed.slice(0, MAX_SHOWN).join(', ')}` : undefined],
      ['Moved', dcm.moves === undefined ? undefined : count(dcm.moves, 'time')],
    ]), dropList(model.drops.filter((each) => each.dcm === dcm.name), actions)],
  };
}

function linkTable(caption, ids, { model, loads, from }, actions) {
  const rows = ids.slice(0, MAX_SHOWN).map((id) => {
    const link = model.links.get(id);
    const other = link.lower.switch === from ? link.upper : link.lower;
    return [
      button(id, () => actions.choose({ kind: 'link', id }), { class: 'link-button' }),
      from ? other.switch : link.upper.switch, `${sign(link.state)} ${stateWord(link.state)}`, percent(loads.get(id).relative),
    ];
  });
  return table(caption, ['Link', 'To', 'State', 'Load'], rows);
}

function dcmList(names, where, actions) {
  return element('details', { class: 'dcms' },
    element('summary', { text: `${count(names.length, 'DCM')} ${where}` }),
    element('p', {}, names.slice(0, MAX_SHOWN).map((id) => [button(id, () => actions.choose({ kind: 'dcm', id }), { class: 'link-button' }), ' ']).flat()));
}

function switchButton(name, actions) {
  return button(name, () => actions.choose({ kind: 'switch', id: name }), { class: 'link-button' });
}

function connectedWord(connected) {
  return connected ? 'connected' : 'not connected';
}
