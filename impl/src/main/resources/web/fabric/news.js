/** What has changed between two views, in short sentences for those who hear the page. Pure. */
import { nameOf } from './alarms.js';
import { capitalised, count, stateWord } from './words.js';

const NAMED = 2;
const URGENT = ['critical', 'major'];

/**
 * @param before {snapshot, model} when something was last said
 * @returns {urgent, calm}: sentences that interrupt, and sentences that wait; none between different fabrics
 */
export function news(before, { snapshot, model }) {
  const said = { urgent: [], calm: [] };
  const [was, is] = [before.snapshot.connection, snapshot.connection];
  if (was !== 'lost' && is === 'lost') {
    said.urgent.push(`The controller is lost: ${snapshot.error}.`);
  } else if (was === 'lost' && is === 'live') {
    said.calm.push('The controller answers again.');
  }
  if (!before.model || !model || before.model.name !== model.name) {
    return said;
  }
  alarms(before.snapshot.alarms, snapshot.alarms, model.name, said);
  if (before.model.phase !== model.phase) {
    said.calm.push(`The fabric is ${model.phase}.`);
  }
  said.calm.push(...states('switch', 'switches', before.model.switches, model.switches), ...states('link', 'links', before.model.links, model.links));
  runs(before.snapshot.runs, snapshot.runs, said);
  return said;
}

function alarms(before, now, fabric, said) {
  const key = (each) => `${each.resource} ${each.type} ${each.severity}`;
  const [old, current] = [before, now].map((all) => new Set(all.map(key)));
  const raised = now.filter((each) => !each.shelved && !old.has(key(each)));
  const urgent = raised.some((each) => URGENT.includes(each.severity));
  if (raised.length) {
    said[urgent ? 'urgent' : 'calm'].push(raised.length <= NAMED
      ? raised.map((each) => `${capitalised(each.severity)} alarm, ${nameOf(each.resource, fabric)}: ${each.text}.`).join(' ')
      : `${raised.length} new alarms, the worst ${raised[0].severity}.`);
  }
  const cleared = before.filter((each) => !current.has(key(each))).length;
  if (cleared) {
    said.calm.push(`${count(cleared, 'alarm')} cleared, ${now.length ? `${now.length} left, the worst ${now[0].severity}` : 'none left'}.`);
  }
}

/** A sentence for each new state, which names switches or links if they are few. */
function states(noun, plural, before, now) {
  const byState = new Map();
  for (const [id, each] of now) {
    if (before.get(id) && before.get(id).state !== each.state) {
      byState.set(each.state, [...(byState.get(each.state) ?? []), id]);
    }
  }
  return [...byState].flatMap(([state, ids]) => (ids.length > NAMED ? `${ids.length} ${plural}: ${stateWord(state)}.`
    : ids.map((id) => `${capitalised(noun)} ${id}: ${stateWord(state)}.`)));
}

function runs(before, now, said) {
  for (const partition of now) {
    const old = before.find((each) => each.name === partition.name);
    if (old?.state !== partition.state) {
      const number = partition.state === 'running' && partition.run ? `, run ${partition.run['run-number']}` : '';
      said.calm.push(`Partition ${partition.name} is ${partition.state}${number}.`);
    }
    if (partition.state !== 'idle' && partition.health && old?.health !== partition.health) {
      said[partition.health === 'insufficient' ? 'urgent' : 'calm'].push(`Health of partition ${partition.name}: ${partition.health}.`);
    }
  }
}
