/** The fabric as a whole: capacity, partitions, problems and spines. */
import { element, facts, button, table } from './dom.js';
import { alarmList } from './alarms.js';
import { dropList } from './drops.js';
import { ledger } from '../fabric/ledger.js';
import { problems } from '../fabric/model.js';
import { clock, count, gbps, percent, sign, stateWord } from '../fabric/words.js';

const MAX_SHOWN = 30;

export function overview({ model, snapshot }, actions) {
  const { capacity } = model;
  return {
    title: `Fabric ${model.name}`,
    content: [
      facts([
        ['Phase', model.phase],
        ['Bandwidth', `${gbps(capacity.bandwidth)} of ${gbps(capacity['nominal-bandwidth'])} (${percent(capacity.utilisation)})`],
        ['Bottleneck', capacity.bottleneck],
        ['Switches', `${countUp(model.switches)} of ${model.switches.size} up`],
        ['Links', `${countUp(model.links)} of ${model.links.size} up`],
        ['Spares', model.spares.join(', ')],
      ]),
      ...snapshot.runs.flatMap(partitionFacts),
      alarmList(snapshot.alarms, model, actions),
      element('h3', { text: 'What needs care' }),
      problemList(model, actions),
      lostPackets(model, actions),
      dropList(model.drops, actions),
      spines(model, actions),
    ],
  };
}

function countUp(things) {
  return [...things.values()].filter((each) => each.state === 'up').length;
}

function problemList(model, actions) {
  const all = problems(model);
  if (!all.length) {
    return element('p', { class: 'quiet', text: model.phase === 'unknown' ? 'The controller has not published a state of the fabric yet.' : 'Nothing: every switch is connected and every link is up.' });
  }
  return element('ul', { class: 'troubles' },
    all.slice(0, MAX_SHOWN).map((each) => element('li', {},
      button(`${sign(each.state)} ${each.id}`, () => actions.choose({ kind: each.kind, id: each.id }), { class: `link-button ${each.state}` }),
      ` ${each.text === each.state ? stateWord(each.state) : each.text}`)),
    all.length > MAX_SHOWN && element('li', { text: `and ${all.length - MAX_SHOWN} more` }));
}

/** Each place that has lost packets since the controller, its switch or its host began to count. */
function lostPackets(model, actions) {
  const all = ledger(model);
  const rows = all.slice(0, MAX_SHOWN).map(({ kind, id, place, packets, rate }) => [
    button(place, () => actions.choose({ kind, id }), { class: 'link-button' }), packets, rate ?? '',
  ]);
  return [
    element('h3', { text: 'Where packets were lost' }),
    all.length === 0 ? element('p', { class: 'quiet', text: 'Nowhere, as far as links, daqrings and hosts count.' })
      : table('Where packets were lost', ['Where', 'Packets, at least', 'Now'], rows),
    all.length > MAX_SHOWN && element('p', { class: 'quiet', text: `and ${all.length - MAX_SHOWN} more places` }),
  ];
}

function spines(model, actions) {
  const rows = model.planes.flatMap((plane) => plane.spines.map((name) => {
    const node = model.switches.get(name);
    return [plane.id, button(name, () => actions.choose({ kind: 'switch', id: name }), { class: 'link-button' }), node.level, percent(node.load)];
  }));
  return [
    element('h3', { text: 'Spines' }),
    element('details', { class: 'spines', open: rows.length <= 8 }, element('summary', { text: count(rows.length, 'spine') }), table('Spines', ['Plane', 'Spine', 'DCMs', 'Load'], rows)),
  ];
}

function lostInRun(run) {
  const links = run['link-loss'] ?? [];
  return [...links.map((each) => `${each.packets} by the link from ${each.switch}:${each.port}`),
    `${run['daqring-drops'] ?? 0} by daqrings`].join(', ');
}

function partitionFacts(partition) {
  const { run, operation } = partition;
  return [
    element('h3', { text: `Partition ${partition.name}` }),
    facts([
      ['State', `${partition.state} since ${clock(partition.since)}${partition['run-type'] ? `, ${partition['run-type']}` : ''}`],
      ['Reason', partition.reason],
      ['Health', partition.state === 'idle' ? undefined : partition.health],
      ['Bandwidth', partition['achievable-bandwidth'] === undefined ? undefined
        : `${gbps(partition['achievable-bandwidth'])} achievable, ${partition['required-bandwidth'] === undefined ? 'none required' : `${gbps(partition['required-bandwidth'])} required`}`],
      ['Run', run && `${run['run-number']}, ${clock(run.begun)} to ${run.ended ? clock(run.ended) : 'now'}, ${count(run.repairs ?? 0, 'repair')}`],
      ['Lost in the run', run && lostInRun(run)],
      ['Operation', operation && `${operation.rpc}: ${operation.status}, ${operation.progress ?? 0} %${operation.detail ? `; ${operation.detail}` : ''}`],
    ]),
    (partition.concern ?? []).length > 0 && element('ul', { class: 'troubles' }, partition.concern.slice(0, MAX_SHOWN)
      .map((each) => element('li', { text: `${each.kind} ${each.name}: ${each.detail ?? ''}` }))),
  ];
}
