/** The answer of rpc plan in words and tables. */
import { element, facts, table } from './dom.js';
import { count, gbps, percent } from '../fabric/words.js';

const MAX_SHOWN = 200;

/** The effect in a few short sentences. */
export function summary(plan) {
  const moved = (plan['moved-dcm'] ?? []).length;
  const cutOff = (plan['cut-off'] ?? []).length;
  const { before = {}, after = {} } = plan;
  const same = before.bandwidth === after.bandwidth;
  return [
    same ? `Bandwidth stays ${gbps(after.bandwidth)}.` : `Bandwidth ${gbps(before.bandwidth)} → ${gbps(after.bandwidth)} (${percent(after.utilisation)}).`,
    moved ? `${count(moved, 'DCM')} ${moved === 1 ? 'moves' : 'move'}.` : 'No DCM moves.',
    cutOff ? `✕ ${count(cutOff, 'DCM')} would not be reached by every ROS.` : 'Every ROS reaches every DCM.',
  ].join(' ');
}

export function details(plan) {
  const moved = byName(plan['moved-dcm'], 'dcm');
  const cutOff = byName(plan['cut-off'], 'dcm');
  const switches = byName(plan.switch, 'name');
  return [
    facts([['Bottleneck then', plan.after?.bottleneck], ['Messages', `${plan.messages ?? 0} to ${count(switches.length, 'switch', 'switches')}`]]),
    fold(count(cutOff.length, 'DCM cut off', 'DCMs cut off'), cutOff, ['DCM', 'Reached by ROS'], (each) => [each.dcm, each['reachable-ros']], true),
    fold(count(moved.length, 'DCM moves', 'DCMs move'), moved, ['DCM', 'From', 'To'], (each) => [
      each.dcm, spine(each['from-plane'], each['from-spine']), spine(each['to-plane'], each['to-spine'])]),
    fold(count(switches.length, 'switch changes', 'switches change'), switches, ['Switch', 'Rules', 'Groups', 'Messages'], (each) => [
      each.name, change(each, 'rules'), change(each, 'groups'), each.messages ?? 0]),
  ];
}

/** Number of DCMs of each spine after the change, by switch name; only where it changes. */
export function dcmsOfSpinesAfter(model, plan) {
  const counts = new Map();
  const shift = (plane, id, by) => {
    const name = model.planes.find((each) => each.id === plane)?.spines.find((each) => model.switches.get(each).spine === id);
    if (name) {
      counts.set(name, (counts.get(name) ?? model.switches.get(name).level) + by);
    }
  };
  for (const each of plan['moved-dcm'] ?? []) {
    shift(each['from-plane'], each['from-spine'], -1);
    shift(each['to-plane'], each['to-spine'], 1);
  }
  return counts;
}

/** Sorted copy: RESTCONF returns lists in any order. */
function byName(entries = [], key) {
  return [...entries].sort((a, b) => a[key].localeCompare(b[key], 'en', { numeric: true }));
}

function fold(title, entries, headings, row, open = false) {
  return entries.length > 0 && element('details', { open },
    element('summary', { text: title }),
    table(title, headings, entries.slice(0, MAX_SHOWN).map(row)),
    entries.length > MAX_SHOWN && element('p', { class: 'quiet', text: `and ${entries.length - MAX_SHOWN} more` }));
}

function spine(plane, id) {
  return plane === undefined ? 'no path' : `plane ${plane}${id === undefined ? '' : ` spine ${id}`}`;
}

function change(each, what) {
  return [['+', `added-${what}`], ['~', `changed-${what}`], ['−', `removed-${what}`]]
    .filter(([, leaf]) => each[leaf]).map(([mark, leaf]) => `${mark}${each[leaf]}`).join(' ') || '–';
}
